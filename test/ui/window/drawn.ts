import { errors, type Locator, type Page } from 'playwright-core';
import { until } from '../../support/until';

/** Words that are looked for; a string is found as a part, upper and lower case alike. */
export type Words = string | RegExp;

/** A row of a tree or list, as the user sees it. */
export interface Row {
  readonly level: number;
  readonly label: string;
  readonly description: string;
  /** Undefined where there is nothing to unfold. */
  readonly isExpanded?: boolean;
}

/** The used part of an element of the page; the functions that use it run in the browser. */
interface Drawn {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Drawn | null;
  getBoundingClientRect(): { readonly top: number; readonly left: number };
}

/** Returns what is drawn at one instant, from the top. An element without a part gives its own text for it. */
async function look(
  drawn: Locator,
  parts: readonly string[],
  attributes: readonly string[] = [],
): Promise<{ top: number; left: number; texts: string[]; attributes: (string | null)[] }[]> {
  const found = await drawn.evaluateAll(
    (elements: readonly Drawn[], wanted) =>
      elements.map((element) => ({
        top: element.getBoundingClientRect().top,
        left: element.getBoundingClientRect().left,
        texts: wanted.parts.map(
          (part) => (part === '' ? element : element.querySelector(part))?.textContent ?? '',
        ),
        attributes: wanted.attributes.map((name) => element.getAttribute(name)),
      })),
    { parts, attributes },
  );
  return found
    .sort((a, b) => a.top - b.top)
    .map(({ texts, ...rest }) => ({ ...rest, texts: texts.map(tidy) }));
}

/** Run in a page of the extension: its texts, and what has the focus there. */
const READ_PAGE = `document.body.innerText + '\\nThe focus is ' +
  (document.hasFocus() ? 'on ' + document.activeElement?.tagName + ' ' + document.activeElement?.id : 'elsewhere')`;

/** All texts of the window, a line each, and then those of the pages in it. */
export async function readWindow(page: Page): Promise<string> {
  const texts = await page.locator('.monaco-workbench').allInnerTexts();
  const pages = page.frames().filter((frame) => frame.name() === 'active-frame' && !frame.isDetached());
  const inPages = await Promise.all(
    pages.map(async (frame) => `Page:\n${await frame.evaluate<string>(READ_PAGE)}`),
  );
  return [...texts, ...inPages].join('\n').replace(/\s*\n\s*/g, '\n');
}

/** The texts of all that is drawn there now, from the top. */
export async function readTexts(drawn: Locator): Promise<string[]> {
  return (await look(drawn, [''])).map(({ texts }) => texts[0] ?? '');
}

/** The texts of lines, from the top. A line that is drawn anew is at the top of all until it has its place. */
export async function readLines(drawn: Locator): Promise<string[]> {
  return (await lookAtLines(drawn)).map(({ text }) => text);
}

/** The text of the line at which the cursor is drawn; undefined while it is drawn at none. */
export async function readLineAt(cursor: Locator, drawn: Locator): Promise<string | undefined> {
  const lines = await lookAtLines(drawn);
  const [at] = await look(cursor, []);
  return lines.find(({ top }) => top === at?.top)?.text;
}

function lookAtLines(drawn: Locator): Promise<{ top: number; text: string }[]> {
  return until('each line has its place', async () => {
    const lines = await look(drawn, ['']);
    // A comparison has two editors beside each other.
    const places = new Set(lines.map(({ top, left }) => `${top} ${left}`));
    if (lines.length === 0 || places.size < lines.length) return null;
    return lines.map(({ top, texts }) => ({ top, text: texts[0] ?? '' }));
  });
}

/** All rows that are drawn there now, from the top. */
export async function readRows(rows: Locator): Promise<Row[]> {
  const found = await look(rows, ['.label-name', '.label-description'], ['aria-level', 'aria-expanded']);
  return found.map(({ texts: [label = '', description = ''], attributes: [level, expanded] }) => ({
    level: Number(level),
    label,
    description,
    ...(typeof expanded === 'string' ? { isExpanded: expanded === 'true' } : {}),
  }));
}

/** The editor draws spaces that do not break. */
export const tidy = (words: string): string => words.replaceAll('\u00a0', ' ').trim();

const escape = (words: string): string => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Finds these words whichever way their spaces are drawn. */
export function drawnAs(words: Words): RegExp {
  return typeof words === 'string' ? new RegExp(escape(words).replace(/ /g, '\\s'), 'i') : words;
}

/** Finds what starts with these words. */
export const startingWith = (words: string): RegExp => new RegExp(`^\\s*${escape(words)}`);

/** Time after which a part that did not appear is asked for again. */
const OPENED_MS = 2_000;

/** Whether a part appears in time. */
export function isThere(part: Locator, timeout = OPENED_MS): Promise<boolean> {
  return comesToBe(part, 'visible', timeout);
}

/** Whether a part goes in time. */
export function isGone(part: Locator, timeout: number): Promise<boolean> {
  return comesToBe(part, 'hidden', timeout);
}

async function comesToBe(part: Locator, state: 'visible' | 'hidden', timeout: number): Promise<boolean> {
  try {
    await part.waitFor({ state, timeout });
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}
