import type { PromptFile } from '../../domain/task/task';
import { readPromptFile } from '../../platform/files/promptFiles';
import type { Meaning } from './meaning';
import type { RowContext } from './rowContext';
import { t } from '../../platform/text/translate';

/** Reads the prompt file that a row names. A queue that several machines share has none: each could have its own. */
export function readPromptCell(path: string, { folder, promptFiles }: RowContext): Meaning<PromptFile> {
  if (folder === null) {
    return {
      wrong: t(
        'A queue in Redis has no prompt files: machines could have different ones. Clear prompt_file, and write the prompt itself.',
      ),
    };
  }
  const reading = promptFiles?.read(path) ?? readPromptFile(folder, path);
  return 'wrong' in reading ? reading : { value: { path, text: reading.value } };
}
