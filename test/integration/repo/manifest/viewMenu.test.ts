import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { contributes } from '../../../../package.json';

const HANDLERS = readFileSync(resolve(__dirname, '../../../../src/editor/commands/handlers.ts'), 'utf8');

describe('The menu of the view', () => {
  it('has no command that acts on one row: VS Code passes the focused one to all of them', () => {
    const ofRows = HANDLERS.matchAll(/^ {2}(\w+): (?:async )?\((?:services|\{.*\}), /gm);
    const onRows = [...ofRows].map(([, name]) => `claudeQueue.${name ?? ''}`);
    assert.ok(onRows.includes('claudeQueue.approve') && onRows.includes('claudeQueue.changePriority'));
    const ofView = contributes.menus['view/title'].map(({ command }) => command);
    assert.ok(ofView.includes('claudeQueue.approveAll'));
    assert.deepEqual(
      ofView.filter((command) => onRows.includes(command)),
      [],
    );
  });
});
