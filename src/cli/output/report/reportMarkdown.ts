import { formatCost } from '../../../app/present/counts';
import {
  describeGaps,
  describeLimits,
  describeMadeWay,
  describeSkips,
} from '../../../app/present/report/nightTexts';
import { describeCause, describeNeed, nameTask, RISK_NAMES } from '../../../app/present/report/needTexts';
import {
  describeAccepted,
  describeAttemptCounts,
  describeCost,
  describeForecast,
  describePeriod,
  describeStop,
  describeTaskCounts,
  END_NAMES,
  formatChanges,
  summarizeReport,
} from '../../../app/present/report/reportTexts';
import { formatPastTime } from '../../../app/present/reasons/amounts';
import { withoutStop } from '../../../app/present/text';
import type { NightReport } from '../../../app/viewModel/report/nightReport';
import type { ReportedTask } from '../../../app/viewModel/report/reportedTask';
import { needsAction, type Need } from '../../../app/viewModel/report/risk';
import { commandForStop, commandsFor, describeCommand } from './reportCommands';

/** Writes the account of a night as Markdown. Texts of prompts and of Claude Code have no effect as Markdown or HTML. */
export function reportToMarkdown(report: NightReport): string {
  const { needs, stops } = report;
  const sums = [describeCost(report), describeAccepted(report), describeForecast(report)].filter(
    (text) => text !== null,
  );
  return [
    `# ${escape(summarizeReport(report))}`,
    escape(describePeriod(report)),
    list([escape(describeTaskCounts(report)), escape(describeAttemptCounts(report)), ...sums.map(escape)]),
    ...section('Needs you', [
      ...stops.map((stop) => `${escape(describeStop(stop))}: \`${commandForStop(stop)}\``),
      ...needs.filter(({ risk }) => needsAction(risk)).map(writeNeed),
    ]),
    ...section('Worth a look', needs.filter(({ risk }) => !needsAction(risk)).map(writeNeed)),
    ...writeTasks(report),
    ...section('Usage limits', describeLimits(report).map(escape)),
    ...section('Stopped for critical tasks', describeMadeWay(report).map(escape)),
    ...section('Nothing ran', describeGaps(report).map(escape)),
    ...section('Skipped due times', describeSkips(report).map(escape)),
  ].join('\n\n');
}

function section(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`## ${title}`, list(items)];
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function writeNeed(need: Need): string {
  const { task, risk } = need;
  const commands = commandsFor(need)
    .map((one) => describeCommand({ ...one, command: `\`${one.command}\`` }))
    .join(', ');
  const texts = [nameTask(task), ...describeNeed(need)].map((text) => escape(withoutStop(text))).join('; ');
  return `**${String(task.id)} ${escape(RISK_NAMES[risk])}**: ${texts}. ${commands}`;
}

const HEAD = ['id', 'state', 'task', 'ended', 'attempts', 'cost', 'changed', 'refused', 'cause'];

function writeTasks(report: NightReport): readonly string[] {
  if (report.tasks.length === 0) return [];
  const rows = report.tasks.map((task) => toCells(task, report));
  const lines = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return ['## Tasks', lines.join('\n')];
}

function toCells(task: ReportedTask, report: NightReport): string[] {
  const { id, end, attempts, denials } = task;
  const last = attempts.at(-1);
  return [
    String(id),
    END_NAMES[end],
    nameTask(task),
    last === undefined ? '' : formatPastTime(last.endedAt, report),
    String(attempts.length),
    formatCost(task.sums),
    formatChanges(task),
    String(denials.length),
    describeCause(task),
  ].map(escape);
}

/** Lets a text be nothing but text, also in a table. */
function escape(text: string): string {
  return text
    .replaceAll(/[\\`*_{}[\]<>()#|~!&]/g, (character) => `\\${character}`)
    .replaceAll(/\s+/g, ' ')
    .replace(/^([-+]|\d+[.)])/, '\\$1');
}
