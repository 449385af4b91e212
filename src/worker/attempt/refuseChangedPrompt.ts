import { Problem } from '../../domain/problem';
import type { Definition } from '../../domain/task/task';
import { readPromptFile } from '../../platform/files/promptFiles';

/**
 * Refuses a row whose prompt file does not hold the text that was read with the row and approved. The attempt gets that
 * text from memory, so a later change of the file has no effect on it.
 * @throws Problem `prompt-changed`
 */
export function refuseChangedPrompt({ id, promptFile }: Definition, workspace: string): void {
  if (promptFile === undefined) return;
  const reading = readPromptFile(workspace, promptFile.path);
  if ('value' in reading && reading.value === promptFile.text) return;
  const why =
    'wrong' in reading ? reading.wrong : `Its prompt file ${promptFile.path} has changed since it was read.`;
  throw new Problem('prompt-changed', `Task ${String(id)} was not started. ${why}`);
}
