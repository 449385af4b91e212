import { shorten } from '../../app/present/text';
import { commandId, type CommandName } from '../commandIds';

/** Link that calls a command of this extension. */
export interface HoverLink {
  readonly title: string;
  readonly command: CommandName;
  readonly arguments?: readonly unknown[];
}

/** Named fact. */
export interface HoverFact {
  readonly name: string;
  readonly text: string;
}

/** Content of a hover, as plain text. */
export interface HoverText {
  readonly title?: string;
  readonly lines: readonly string[];
  readonly links?: readonly HoverLink[];
  readonly facts?: readonly HoverFact[];
  /** Lines below the others. */
  readonly notes?: readonly string[];
}

/** Maximum characters of a line in a hover; `history ID` shows all. */
const LINE_WIDTH = 300;

/** Break between two lines. */
const BREAK = '  \n';
const SEPARATOR = ' \u00a0·\u00a0 ';

/** Lays out a hover as Markdown, in which the text of others is only text: its links are the given ones. */
export function layOutHover({ title, lines, links = [], facts = [], notes = [] }: HoverText): string {
  const below = [...facts.map(layOutFact), ...notes.map(escapeMarkdown)];
  const parts = [
    title === undefined ? '' : `**${escapeMarkdown(title)}**`,
    lines.map(escapeMarkdown).join(BREAK),
    links.map(layOutLink).join(SEPARATOR),
    below.length === 0 ? '' : `---\n\n${below.join(BREAK)}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Returns the ids of the commands that the links call, each once. */
export function commandsOf({ links = [] }: Pick<HoverText, 'links'>): readonly string[] {
  return [...new Set(links.map(({ command }) => commandId(command)))];
}

function layOutLink({ title, command, arguments: given }: HoverLink): string {
  const query = given === undefined ? '' : `?${encode(JSON.stringify(given))}`;
  return `[${escapeMarkdown(title)}](command:${commandId(command)}${query})`;
}

/** Encodes all that could end a link, which `encodeURIComponent` does not. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*~_]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function layOutFact({ name, text }: HoverFact): string {
  return `**${escapeMarkdown(name)}**  ${escapeMarkdown(text)}`;
}

/** Escapes every punctuation mark by a backslash, so that no link, picture or command remains. */
function escapeMarkdown(text: string): string {
  return shorten(text.replaceAll(/\s+/g, ' '), LINE_WIDTH).replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}
