import { describeCall } from '../../../claude/stream/plain';
import { firstLine } from '../../../platform/text/plainText';
import { t } from '../../../platform/text/translate';
import type { Step, ToolStep } from '../steps';
import { escapeHtml } from '../../pages/html';
import type { FindFile } from './html';
import { renderMarkdown } from './markdown';
import { nameCall, renderReads, renderText, renderTool } from './tools';

/** Part of the page: one step, or several calls in a row that only read. */
export interface Block {
  /** Number of its first step. Grows from block to block, and stays the same when the block changes. */
  readonly key: number;
  readonly html: string;
  /** Words for a screen reader when it appears. */
  readonly spoken: string;
}

/** Facts that the blocks need besides their steps. */
export interface BlockContext {
  readonly findFile: FindFile;
  readonly isRunning: boolean;
  /** Returns the rule that would allow a refused call; null if the user cannot allow it here. */
  readonly ruleFor: (call: ToolStep['call']) => string | null;
}

/** Tools that only read. */
const READING = ['Read', 'Glob', 'Grep', 'LS'];

/** Returns the blocks of the newest steps: at most `most`. */
export function renderBlocks(steps: readonly Step[], context: BlockContext, most: number): readonly Block[] {
  const groups = groupReads(steps).slice(-most);
  return groups.map(({ key, members }) => renderGroup(key, members, context));
}

type Members = readonly [Step, ...Step[]];

interface Group {
  readonly key: number;
  readonly members: Members;
}

/** Joins calls in a row that only read. */
export function groupReads(steps: readonly Step[]): readonly Group[] {
  const groups: Group[] = [];
  steps.forEach((step, key) => {
    const last = groups.at(-1);
    if (last !== undefined && isRead(step) && last.members.every(isRead))
      groups[groups.length - 1] = { key: last.key, members: addTo(last.members, step) };
    else groups.push({ key, members: [step] });
  });
  return groups;
}

function addTo([first, ...others]: Members, step: Step): Members {
  return [first, ...others, step];
}

function isRead(step: Step): step is ToolStep {
  return step.kind === 'tool' && step.state === 'done' && READING.includes(step.call.name);
}

function renderGroup(key: number, members: Members, context: BlockContext): Block {
  const [first] = members;
  const html =
    members.length > 1 ? renderReads(members.filter(isRead), context.findFile) : renderStep(first, context);
  return { key, html: `<div class="step ${first.kind}">${html}</div>`, spoken: describeStep(first) };
}

function renderStep(step: Step, context: BlockContext): string {
  switch (step.kind) {
    case 'text':
      return renderWords(step, context.findFile);
    case 'tool':
      return step.state === 'refused'
        ? renderRefused(step, context)
        : renderTool(step, context.findFile, context.isRunning);
    case 'note':
      return `<p class="${step.isWarning ? 'warning' : 'dim'}">${escapeHtml(step.text)}</p>`;
    case 'check':
      return renderCheck(step);
    case 'end':
      return `<p class="${step.hasFailed ? 'failure' : 'dim'}">${escapeHtml(step.text)}</p>`;
  }
}

/** Rendered Markdown of steps, which never change. */
const RENDERED = new WeakMap<Step, string>();

function renderWords(step: Extract<Step, { kind: 'text' }>, findFile: FindFile): string {
  const html = RENDERED.get(step) ?? renderMarkdown(step.text, findFile);
  RENDERED.set(step, html);
  return html;
}

function renderRefused(step: ToolStep, { findFile, ruleFor }: BlockContext): string {
  const rule = ruleFor(step.call);
  const why = firstLine(step.output);
  const allow =
    rule === null
      ? ''
      : `<p><button type="button" data-command="allowTools">${escapeHtml(t('Allow and Retry…'))}</button> <code class="rule">${escapeHtml(rule)}</code></p>`;
  return `<div class="refusal"><p><strong>${escapeHtml(t('Refused:'))}</strong> ${nameCall(step, findFile)}</p>${
    why === '' ? '' : `<p>${escapeHtml(why)}</p>`
  }${allow}</div>`;
}

function renderCheck({ title, hasPassed, output }: Extract<Step, { kind: 'check' }>): string {
  const words = `<strong class="${hasPassed ? 'success' : 'failure'}">${escapeHtml(title)}</strong>`;
  if (output === '') return `<p>${words}</p>`;
  return `<details class="tool"${hasPassed ? '' : ' open'}><summary>${words}</summary>${renderText(output, 'output')}</details>`;
}

/** Describes a step in one line of text. */
export function describeStep(step: Step): string {
  switch (step.kind) {
    case 'text':
    case 'note':
    case 'end':
      return firstLine(step.text);
    case 'check':
      return step.title;
    case 'tool':
      return describeTool(step);
  }
}

function describeTool({ call, state }: ToolStep): string {
  const words = `${firstLine(call.name)} ${describeCall(call)}`.trim();
  return state === 'refused' ? t('Refused: {0}', words) : words;
}
