import { startingWith } from './drawn';
import type { EditorWindow } from './editorWindow';

/** The first Start, of the user who lets Claude edit files and approves what is listed. */
export async function startAtFirst(editor: EditorWindow): Promise<void> {
  await editor.pressViewButton('Start');
  await editor.quickInput('Default permission mode');
  await editor.pick('acceptEdits');
  await editor.quickInput('Start: ');
  await editor.pick('Approve and start');
}

/** Another Start, of what is approved already. */
export async function startAgain(editor: EditorWindow): Promise<void> {
  await editor.pressViewButton('Start');
  await editor.quickInput('Start: ');
  await editor.pick(startingWith('Start'));
}
