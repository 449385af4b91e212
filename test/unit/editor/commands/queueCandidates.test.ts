import assert from 'node:assert/strict';
import type { CommandName } from '../../../../src/editor/commandIds';
import { findCandidates } from '../../../../src/editor/commands/queue/queueCandidates';
import type { QueueState } from '../../../../src/editor/state/queueState';
import { paint, ready } from '../../../support/queue/viewModels';

const MISSING: QueueState = { kind: 'missing' };
const IDLE = ready(paint([{}]));
const WORKING = ready(paint([{}], { workers: 1 }));
/** Its queue file is gone, and a worker runs all the same. */
const GONE: QueueState = { kind: 'missing', isGone: true, workers: ['worker 12'] };

const find = (states: Readonly<Record<string, QueueState>>, name: CommandName, file?: string): string[] => {
  const queues = Object.entries(states).map(([key, state]) => ({
    ...{ key, folder: `/${key}`, state },
    queueFile: `/${key}/claude_queue/prompts.csv`,
  }));
  return findCandidates(queues, name, file ?? null).map(({ key }) => key);
};

describe('A command without a row', () => {
  const states = { north: IDLE, south: WORKING, west: MISSING };

  it('acts on the queue of the file for which it is called', () => {
    assert.deepEqual(find(states, 'hold', '/south/a.ts'), ['south']);
    assert.deepEqual(find(states, 'addFromEditor', '/north/a.ts'), ['north']);
  });

  it('acts on the queue of a queue file, though only another queue has what it stops', () => {
    assert.deepEqual(find(states, 'stop', '/north/claude_queue/prompts.csv'), ['north']);
    assert.deepEqual(find(states, 'createQueue', '/north/claude_queue/prompts.csv'), ['west']);
  });

  it('may act on every queue that suits it if no file decides', () => {
    assert.deepEqual(find(states, 'hold'), ['north', 'south']);
    assert.deepEqual(find(states, 'hold', '/elsewhere/a.ts'), ['north', 'south']);
    assert.deepEqual(find(states, 'stop', '/north/a.ts'), ['south']);
    assert.deepEqual(find(states, 'createQueue', '/north/a.ts'), ['west']);
    assert.deepEqual(find(states, 'resume'), ['north', 'south']);
    assert.deepEqual(find({ west: MISSING, east: MISSING }, 'addTask'), ['west', 'east']);
  });

  it('stops the worker of a queue that cannot be read, not another queue', () => {
    assert.deepEqual(find({ north: IDLE, west: GONE }, 'stop'), ['west']);
    assert.deepEqual(find({ north: IDLE, west: GONE, south: WORKING }, 'stop'), ['west', 'south']);
  });

  it('may also create a queue in the folder of a file that it is about', () => {
    assert.deepEqual(find(states, 'addFromExplorer', '/west/a.ts'), ['west', 'north', 'south']);
    assert.deepEqual(find(states, 'addTask', '/west/a.ts'), ['north', 'south']);
  });

  it('never takes the queue of a file for the menu of all queues', () => {
    assert.deepEqual(find(states, 'showMenu', '/south/a.ts'), ['north', 'south']);
  });
});
