import { fence } from '../../platform/text/fence';

/** Context that a command attached to a prompt. */
export interface Attachment {
  /** Place or origin, such as `src/rates.ts:12-40`. */
  readonly title: string;
  /** Text that Claude gets with it; empty: only the title. */
  readonly text: string;
}

/** Lines of a selection, counted from 1. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Formats a place: `path`, `path:12` or `path:12-40`. */
export function formatPlace(path: string, lines: LineRange | null): string {
  if (lines === null) return path;
  const { first, last } = lines;
  return first === last ? `${path}:${String(first)}` : `${path}:${String(first)}-${String(last)}`;
}

/** Problem of a file, as its quick fix passes it. */
export interface ProblemTarget<Uri> {
  readonly uri: Uri;
  /** Counted from 1. */
  readonly line: number;
  readonly source: string;
  readonly code: string;
  readonly message: string;
}

/** Returns the attachment for a problem of a file. */
export function attachProblem(
  place: string,
  { source, code, message }: { readonly source: string; readonly code: string; readonly message: string },
): Attachment {
  const name = [source, code].filter((part) => part !== '').join(' ');
  return { title: `Problem in ${place}`, text: name === '' ? message : `${name}: ${message}` };
}

/** Adds an attachment unless the same one is there. */
export function attach(attachments: readonly Attachment[], added: Attachment): readonly Attachment[] {
  const isThere = attachments.some(({ title, text }) => title === added.title && text === added.text);
  return isThere ? attachments : [...attachments, added];
}

/** Returns the prompt as Claude gets it: the user's text, then each attachment with its title. */
export function composePrompt(prompt: string, attachments: readonly Attachment[]): string {
  if (prompt.trim() === '') return prompt;
  return [prompt.trimEnd(), ...attachments.map(writeAttachment)].join('\n\n');
}

function writeAttachment({ title, text }: Attachment): string {
  if (text === '') return `Context: ${title}`;
  return `Context: ${title}\n${fence(text.replace(/\n$/, ''))}`;
}
