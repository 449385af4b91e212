import { describeCall } from '../../../claude/stream/plain';
import { t } from '../../../platform/text/translate';
import { toShown, type ToolStep } from '../steps';
import { escapeHtml } from '../../pages/html';
import { cutMiddle, fileButton, type FindFile } from './html';

/** Maximum characters of an input or a result. */
const LONGEST_OUTPUT = 12_000;

/** Inputs that name the file of a call. */
const FILE_INPUTS = ['file_path', 'notebook_path', 'path'];

/** Words at the right edge of a call. */
const STATE_WORDS: Readonly<Record<ToolStep['state'], string>> = {
  open: t('no result'),
  done: '',
  failed: t('failed'),
  refused: t('refused'),
};

/** Renders a call as one line that unfolds. */
export function renderTool(step: ToolStep, findFile: FindFile, isRunning: boolean): string {
  const { state } = step;
  const word = state === 'open' && isRunning ? t('running') : STATE_WORDS[state];
  const note = word === '' ? '' : `<span class="state ${state}">${escapeHtml(word)}</span>`;
  const isOpen = state === 'failed' ? ' open' : '';
  return `<details class="tool"${isOpen}><summary>${nameCall(step, findFile)}${note}</summary>${renderBody(step)}</details>`;
}

/** Renders calls in a row that only read, as one line that unfolds. */
export function renderReads(steps: readonly ToolStep[], findFile: FindFile): string {
  const [first] = steps;
  if (first === undefined) return '';
  const more = escapeHtml(t('and {0} more', steps.length - 1));
  const calls = steps.map((step) => `<li>${nameCall(step, findFile)}</li>`).join('');
  return `<details class="tool"><summary>${nameCall(first, findFile)} <span>${more}</span></summary><ul>${calls}</ul></details>`;
}

/** Renders the tool's name and what it is about. */
export function nameCall({ call }: Pick<ToolStep, 'call'>, findFile: FindFile): string {
  const detail = toShown(describeCall(call));
  const file = findFile(fileOf(call.input) ?? '');
  const about =
    file === null
      ? detail === ''
        ? ''
        : `<code>${escapeHtml(detail)}</code>`
      : fileButton(file, `<code>${escapeHtml(file.path)}</code>`);
  return `<strong>${escapeHtml(toShown(call.name))}</strong> ${about}`;
}

function fileOf(input: ToolStep['call']['input']): string | undefined {
  return FILE_INPUTS.map((name) => input[name]).find((value) => typeof value === 'string');
}

function renderBody({ call, output }: ToolStep): string {
  const parts = [renderInput(call.input), output === '' ? '' : renderText(output, 'output')].filter(Boolean);
  return parts.length === 0 ? `<p class="dim">${escapeHtml(t('No text.'))}</p>` : parts.join('');
}

function renderInput(input: ToolStep['call']['input']): string {
  const { command, old_string: before, new_string: after, content, edits } = input;
  if (typeof command === 'string') return renderText(`$ ${toShown(command)}`, 'input');
  if (Array.isArray(edits)) return edits.map((edit: unknown) => renderEdit(edit)).join('');
  if (typeof before === 'string' || typeof after === 'string') return renderEdit(input);
  if (typeof content === 'string') return renderLines(content, 'added', '+');
  const others = Object.entries(input).filter(([name]) => !FILE_INPUTS.includes(name));
  return others.length === 0
    ? ''
    : renderText(toShown(JSON.stringify(Object.fromEntries(others), null, 2)), 'input');
}

function renderEdit(edit: unknown): string {
  if (typeof edit !== 'object' || edit === null) return '';
  const before: unknown = Reflect.get(edit, 'old_string');
  const after: unknown = Reflect.get(edit, 'new_string');
  return [
    typeof before === 'string' && before !== '' ? renderLines(before, 'removed', '-') : '',
    typeof after === 'string' && after !== '' ? renderLines(after, 'added', '+') : '',
  ].join('');
}

function renderLines(text: string, kind: 'added' | 'removed', mark: string): string {
  return renderText(toShown(text).trimEnd().replaceAll(/^/gm, `${mark} `), kind);
}

/** Renders a text of a call, cut where it is long. */
export function renderText(text: string, kind: string): string {
  return `<pre class="${kind}" tabindex="0">${escapeHtml(cutMiddle(text, LONGEST_OUTPUT))}</pre>`;
}
