import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import type { Permissions } from '../../domain/task/attempt';
import { placeOf } from '../../domain/task/place';
import type { Definition } from '../../domain/task/task';
import { hasCode } from '../../platform/files/files';
import { t } from '../../platform/text/translate';
import { findRefusedAction } from './refusedActions';

/** A relative path with a folder and an extension, alone or between marks. Addresses and patterns are none. */
const PATH = /(?<![\w@:/.*-])((?:\.\/)?(?:[\w.-]+\/)+[\w-][\w.-]*\.[a-z]\w{0,4})(?![\w/*:(])/gi;

/** Words of prompts that make files: a path in such a prompt may be one to make. */
const MAKES =
  /\b(?:add|create|draft|dump|export|extract|generate|into|make|move|new|output|produce|put|record|rename|save|split|store|summari[sz]e|translate|write)\b|書|作成|追加|生成|出力|保存|созда|напи[сш]|запи[сш]|добав|сохран|сгенер|переим|перенес/i;

/** Requests to ask the user, or to wait for an answer. */
const ASKS =
  /\b(?:ask|check with|confirm with) me\b|\b(?:ask|wait) for (?:my|an?) (?:answer|approval|confirmation|decision|go-ahead|permission)\b|\bwait for me\b|\blet me (?:choose|decide|pick)\b|\bbefore (?:going on|continuing|proceeding),? ask\b|\b(?:call|use) (?:the )?[`"']?AskUserQuestion\b|(?:私|わたし)に(?:聞|確認|質問)|確認を(?:求|取)|спроси(?:те)? (?:у )?меня|уточни(?:те)? у меня|дожд(?:ись|итесь) моего/i;

/** Maximum number of paths that are named. */
const MOST_NAMED = 3;

/** Returns the text in a prompt that asks for an answer; null if there is none. */
export function findRequestToAsk(prompt: string): string | null {
  return ASKS.exec(prompt)?.[0] ?? null;
}

/** Returns the paths of files that a prompt names; none if it may make files. */
export function findNamedPaths(prompt: string): readonly string[] {
  if (MAKES.test(prompt)) return [];
  const found = [...prompt.matchAll(PATH)].flatMap(([, file]) => file ?? []);
  return [...new Set(found)].filter((file) => !file.split('/').includes('..'));
}

/**
 * Returns in sentences what in a task's prompt may go wrong while nobody is there. `permissions` are those of its
 * attempts; null: it is not known what they allow.
 */
export async function reviewPrompt(
  row: Pick<Definition, 'id' | 'prompt' | 'workingDir' | 'realDir'>,
  permissions: Permissions | null,
): Promise<readonly string[]> {
  const { id, prompt } = row;
  const asks = findRequestToAsk(prompt);
  const refused = permissions === null ? null : findRefusedAction(prompt, permissions);
  const missing = await findMissing(findNamedPaths(prompt), placeOf(row).folder);
  return [
    ...(asks === null
      ? []
      : [
          t(
            'The prompt of task {0} may ask for an answer ("{1}"). Nobody may be there to give it.',
            id,
            asks,
          ),
        ]),
    ...(permissions === null || refused === null
      ? []
      : [
          t(
            'The prompt of task {0} asks for an action ("{1}") that permission mode {2} may refuse. Change allowed_tools or permission_mode.',
            id,
            refused,
            permissions.mode,
          ),
        ]),
    ...(missing.length === 0
      ? []
      : [
          t(
            'The prompt of task {0} names files that may not exist in its working directory: {1}.',
            id,
            missing.slice(0, MOST_NAMED).join(', '),
          ),
        ]),
  ];
}

/** Returns the files that are not there; none if the folder itself is missing, which is reported separately. */
async function findMissing(files: readonly string[], folder: string): Promise<readonly string[]> {
  if (files.length === 0 || !(await isThere(folder))) return [];
  const there = await Promise.all(files.map((file) => isThere(path.resolve(folder, file))));
  return files.filter((_, index) => there[index] === false);
}

/** Whether there is a file or folder; what cannot be looked at counts as there. */
async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    return !hasCode(error, 'ENOENT', 'ENOTDIR');
  }
}
