import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AttemptReader } from '../../../../src/editor/attempt/attemptReader';
import type { KnownAttempt } from '../../../../src/editor/attempt/page/pageParts';
import type { OpenedQueue } from '../../../../src/editor/state/openedQueue';
import { StatePaths } from '../../../../src/queue/queuePaths';
import { makeFolder } from '../../queue/folder';

describe('The steps of a running attempt', () => {
  it('name a new file, which the page can open once Claude has written it', async () => {
    const folder = realpathSync(makeFolder());
    const state = new StatePaths(join(folder, 'state'));
    const output = state.outputOf({ id: 1, attempt: 1 });
    mkdirSync(dirname(output), { recursive: true });
    const print = (type: string, part: object): void => {
      appendFileSync(output, `${JSON.stringify({ type, message: { content: [part] } })}\n`);
    };
    const openReportToken = () => ({ find: () => Promise.resolve(undefined) });
    const session = { queueContext: { paths: { state }, openReportToken } } as unknown as OpenedQueue;
    const claim = { id: 1, attempt: 1, at: 0, session: null, workingDir: folder, owner: { kind: 'process' } };
    const known = {
      ...{ id: 1, number: 1, numbers: [1], shown: null, attempt: null },
      claim,
    } as unknown as KnownAttempt;
    const reader = new AttemptReader(session, known);
    const look = async (): Promise<string> => {
      await reader.read();
      return reader
        .blocks(known)
        .map(({ html }) => html)
        .join('');
    };
    print('assistant', { type: 'tool_use', id: 'one', name: 'Write', input: { file_path: 'new.ts' } });
    assert.doesNotMatch(await look(), /data-path/);
    writeFileSync(join(folder, 'new.ts'), '');
    print('user', { type: 'tool_result', tool_use_id: 'one', content: 'File created.' });
    assert.match(await look(), /data-path="new\.ts"/);
  });
});
