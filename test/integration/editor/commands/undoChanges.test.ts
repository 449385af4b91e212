import assert from 'node:assert/strict';
import { realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExtensionServices } from '../../../../src/editor/state/extensionServices';
import { DOCUMENTS, loadInEditor, MESSAGES } from '../../../support/editor/fakeEditor';
import { UndoWorld } from '../../../support/undo/undoWorld';
import { makeFolder } from '../../queue/folder';

describe('Undo Changes in the editor', () => {
  afterEach(() => {
    DOCUMENTS.length = 0;
  });

  for (const [place, isLink] of [
    ['its folder', false],
    ['a link to its folder', true],
  ] as const)
    it(`is refused while a file has unsaved changes that was opened in ${place}`, async () => {
      const { undoChanges } = await loadInEditor(
        () => import('../../../../src/editor/commands/tasks/undoChanges'),
      );
      const folder = realpathSync(makeFolder());
      const world = UndoWorld.create(folder);
      await world.attempt(1, 'success', () => writeFileSync(join(world.top, 'a.txt'), 'written'));
      const link = join(folder, 'link');
      symlinkSync(world.top, link);
      const fsPath = join(isLink ? link : world.top, 'a.txt');
      DOCUMENTS.push({ isDirty: true, uri: { scheme: 'file', fsPath } });
      const change = (work: (session: object) => unknown): unknown =>
        work({ queueContext: world.context, queue: world.queue });
      const services = { queueModel: { change }, log: { warn: () => undefined } };
      await undoChanges(services as unknown as ExtensionServices, 1);
      assert.match(MESSAGES.at(-1) ?? '', /^Nothing was undone: these files have unsaved changes/);
    });
});
