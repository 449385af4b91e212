import type { Command } from 'commander';
import {
  allowTools,
  findRefusals,
  WITHOUT_RULE,
  type Refusal,
  type Refusals,
} from '../../../app/actions/tasks/allowTools';
import { refuseInsideAttempt } from '../../../app/actions/attempts/insideAttempt';
import { describeAllowedElsewhere } from '../../../app/present/reasons/claim';
import { count } from '../../../app/present/text';
import { Problem } from '../../../domain/problem';
import { revealInvisible } from '../../../platform/text/invisible';
import type { Act } from '../../action';
import type { Context } from '../../context';
import { OK } from '../../exitCodes';
import { formatJson, parseId } from '../../options/parseArguments';
import { quoteCommand } from '../../../platform/text/commandName';

interface AllowOptions {
  readonly rule?: string;
  readonly all?: true;
  readonly json?: true;
}

export function defineAllow(program: Command, act: Act): void {
  const command = program
    .command('allow')
    .description('show what a task was last refused; with --rule or --all, allow it and retry the task')
    .argument('<id>', 'the task')
    .option('--rule <numbers>', 'numbers of the rules to allow (1,3)')
    .option('--all', 'allow all listed rules')
    .option('--json', 'print JSON');
  act(command, allow);
}

function allow(context: Context, [text = '']: readonly string[], options: AllowOptions): Promise<number> {
  const { system } = context;
  const id = parseId(text);
  return context.withQueue(async (queue) => {
    if (options.rule !== undefined || options.all === true)
      await refuseInsideAttempt(context, queue, 'allow tools');
    const found = await findRefusals(context, queue, id);
    const chosen = chooseRules(found, options);
    if (chosen === null) {
      system.out(options.json === true ? toJson(found) : describeRefusals(found));
      return OK;
    }
    const { isRetried } = await allowTools(context, queue, found, chosen);
    if (options.json === true) {
      system.out(formatJson({ id, allowed: chosen, retried: isRetried }));
      return OK;
    }
    for (const rule of chosen) system.out(`Allowed for task ${String(id)}: ${revealInvisible(rule)}`);
    const what = isRetried ? `Task ${String(id)} is pending again.` : 'Its next attempt here may use that.';
    system.out(`${what} This applies on this machine until its row changes.`);
    const elsewhere = describeAllowedElsewhere(found.attempt ?? {});
    if (elsewhere !== null) system.out(elsewhere);
    return OK;
  });
}

/** Rule with its number in the list. */
interface Numbered {
  readonly number: number;
  readonly rule: string;
}

function numberRules(refusals: readonly Refusal[]): Numbered[] {
  const rules = refusals.flatMap(({ rule }) => rule ?? []);
  return rules.map((rule, index) => ({ number: index + 1, rule }));
}

/** Returns the rules to allow; null if they are only to be listed. @throws Problem `usage` */
function chooseRules({ refusals }: Refusals, { rule, all }: AllowOptions): readonly string[] | null {
  if (rule === undefined && all === undefined) return null;
  const rules = numberRules(refusals);
  const numbers = rule === undefined ? rules.map(({ number }) => number) : rule.split(',').map(Number);
  const chosen = numbers.map((number) => rules.find((one) => one.number === number)?.rule);
  if (chosen.length > 0 && !chosen.includes(undefined)) return chosen.flatMap((one) => one ?? []);
  throw new Problem(
    'usage',
    rules.length === 0
      ? `There is no rule to allow: see ${quoteCommand('allow ID')}. To allow more, change allowed_tools or permission_mode of its row.`
      : `Name the rules by their numbers, such as --rule 1; there ${rules.length === 1 ? 'is 1' : `are ${String(rules.length)}`}.`,
  );
}

function describeRefusals({ task, attempt, refusals }: Refusals): string {
  const name = `Task ${String(task.state.id)}`;
  if (attempt === null) return `${name} has not run yet in its present form.`;
  const head = `${name}, attempt ${String(attempt.number)}: `;
  if (refusals.length === 0) return `${head}nothing was refused.`;
  const rules = numberRules(refusals);
  const lines = refusals.map((refusal) => describeRefusal(refusal, rules));
  const how =
    rules.length === 0
      ? WITHOUT_RULE
      : `Allow with ${quoteCommand(`allow ${String(task.state.id)} --rule ${rules.length === 1 ? '1' : '1,2'}`)} or --all: for this task only, until its row changes.`;
  return [`${head}refused ${count(refusals.length, 'action')}.`, ...lines, how].join('\n');
}

function describeRefusal(refusal: Refusal, rules: readonly Numbered[]): string {
  const { tool, detail, rule, why } = refusal;
  if (rule === null) return revealInvisible(`  -  ${tool} ${detail}\n     no rule: ${why}`);
  const number = rules.find((one) => one.rule === rule)?.number ?? 0;
  return `  ${String(number)}  ${revealInvisible(rule).replaceAll('\n', '\n     ')}${describeEffect(refusal)}`;
}

function describeEffect({ isAllowed, hasNotHelped }: Refusal): string {
  if (isAllowed) return '\n     allowed since on this machine: its next attempt here may do it';
  return hasNotHelped
    ? '\n     was already allowed, and refused anyway: give the row another permission_mode, or do this yourself'
    : '';
}

/** JSON of refusals: the contract of `allow ID --json`. */
function toJson({ task, attempt, refusals }: Refusals): string {
  const rules = numberRules(refusals);
  return formatJson({
    id: task.state.id,
    attempt: attempt?.number ?? null,
    refusals: refusals.map(({ tool, detail, rule, why, isAllowed, hasNotHelped }) => ({
      tool,
      detail,
      rule,
      number: rules.find((one) => one.rule === rule)?.number ?? null,
      why,
      allowed: isAllowed,
      hasNotHelped,
    })),
  });
}
