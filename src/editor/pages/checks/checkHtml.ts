import * as path from 'node:path';
import type { Checked, Remedy } from '../../../app/checks/checked';
import type { Where } from '../../../domain/problem';
import { summarizeChecks } from '../../../app/present/checks';
import { revealInvisible } from '../../../platform/text/invisible';
import { t } from '../../../platform/text/translate';
import { type Html, markup } from '../html';

/** Facts that the page shows besides the findings. */
export interface CheckFacts {
  /** Folder of the workspace: paths in it are shown from there. */
  readonly folder: string;
  /** Time of the check, in words. */
  readonly time: string;
}

const SECTIONS = [
  { state: 'problem', title: t('Problems'), mark: '✗' },
  { state: 'note', title: t('Worth Knowing'), mark: '!' },
  { state: 'fine', title: t('Fine'), mark: '✓' },
] as const;

/** Titles of the buttons for remedies. */
const REMEDIES: Readonly<Record<Remedy['kind'], string>> = {
  'edit-task': t('Edit Task…'),
  'adopt-foreign': t('Adopt History…'),
  'adopt-scripts': t('Adopt History…'),
  'choose-claude': t('Set Path…'),
  'choose-permissions': t('Choose Permission Mode…'),
  'copy-command': t('Copy Command'),
  'copy-name': t('Copy Name'),
  'create-queue': t('Create Queue'),
  'open-setting': t('Open Setting'),
  'open-terminal': t('Open Terminal'),
  resume: t('Resume Queue'),
  'show-versions': t('About the Editor'),
  'sign-in': t('Sign In…'),
  'start-worker': t('Start…'),
  'update-extension': t('Check for Extension Updates'),
};

/** Titles of the buttons that show a place. */
const SHOW: Readonly<Record<Where['kind'], string>> = { file: t('Show File'), row: t('Show Row') };

/** Draws what was found; the value of an action is the position of its finding in `all`. */
export function drawCheck(all: readonly Checked[], facts: CheckFacts): Html {
  return markup`<main>
<h1>${t('Check This Machine')}</h1>
<p class="sentence" tabindex="-1" data-focus>${summarizeChecks(all)}</p>
<div class="tools"><button class="other" data-action="refresh">${t('Check Again')}</button><small>${t('Checked at {0}.', facts.time)}</small></div>
${SECTIONS.map((section) => drawSection(section, all, facts))}
</main>`;
}

function drawSection(
  { state, title, mark }: (typeof SECTIONS)[number],
  all: readonly Checked[],
  { folder }: CheckFacts,
): Html | null {
  const found = all.flatMap((one, index) => (one.state === state ? [{ one, index }] : []));
  if (found.length === 0) return null;
  return markup`<section><h2>${title}</h2><ul class="findings">${found.map(
    ({ one, index }) => markup`<li><span class="mark ${state}" aria-hidden="true">${mark}</span>
<div>${drawWhere(one, index, folder)}<p>${revealInvisible(one.message)}</p></div>
${drawRemedy(one, index)}</li>`,
  )}</ul></section>`;
}

function drawWhere({ where, at }: Checked, index: number, folder: string): Html {
  const text = revealInvisible(shortenPath(where, folder));
  return at === undefined
    ? markup`<span class="where">${text}</span>`
    : markup`<button class="link where" data-action="open" data-value="${index}" title="${where}">${text}</button>`;
}

/** Returns a path in the folder without the folder. */
function shortenPath(where: string, folder: string): string {
  const start = `${folder}${path.sep}`;
  return where.startsWith(start) ? where.slice(start.length) : where;
}

function drawRemedy({ state, where, at, remedy }: Checked, index: number): Html | null {
  if (remedy === undefined && (at === undefined || state === 'fine')) return null;
  const action = remedy === undefined ? 'open' : 'fix';
  const title = remedy === undefined ? SHOW[at?.where?.kind ?? 'file'] : REMEDIES[remedy.kind];
  const name = remedy?.kind === 'edit-task' ? t('{0} (task {1})', title, remedy.id) : `${title} (${where})`;
  return markup`<div class="buttons"><button class="other" data-action="${action}" data-value="${index}" aria-label="${name}">${title}</button></div>`;
}
