import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import english from '../../../package.nls.json';
import { localize } from '../../../scripts/texts/manifest';
import { PRIORITIES } from '../../../src/domain/task/priority';
import { ADD_FIELDS } from '../../../src/editor/tools/addInput';
import { TOOLS } from '../../../src/editor/tools/toolNames';

interface Tool {
  readonly name: string;
  readonly userDescription: string;
  readonly modelDescription: string;
  readonly when: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
    readonly additionalProperties: boolean;
  };
}

interface Manifest {
  readonly contributes: { readonly languageModelTools: readonly Tool[] };
}

describe('The tools for language models', () => {
  const manifest = localize(
    JSON.parse(readFileSync(resolve(__dirname, '../../../package.json'), 'utf8')) as Manifest,
    english,
  );
  const tools = manifest.contributes.languageModelTools;

  it('are those of the code, and available only in a trusted workspace with a queue', () => {
    assert.deepEqual(
      tools.map(({ name }) => name),
      Object.values(TOOLS),
    );
    for (const { when } of tools) assert.equal(when, "isWorkspaceTrusted && claudeQueue.state == 'ready'");
  });

  it('take the input that the code reads, and nothing else', () => {
    const [status, add] = tools.map(({ inputSchema }) => inputSchema);
    assert.deepEqual(Object.keys(status?.properties ?? {}), []);
    assert.deepEqual(Object.keys(add?.properties ?? {}), ADD_FIELDS);
    assert.deepEqual(add?.properties['priority']?.enum, PRIORITIES);
    for (const schema of [status, add]) assert.equal(schema?.additionalProperties, false);
  });

  it('tell the user and the model that an added task needs approval', () => {
    const [, add] = tools;
    assert.match(add?.userDescription ?? '', /only after you approve it\.$/);
    assert.match(add?.modelDescription ?? '', /only after the user approves it/);
  });
});
