import { knownCost } from '../../../app/viewModel/ledger';
import { describeCause, nameTask } from '../../../app/present/report/needTexts';
import { describeGapCauses } from '../../../app/present/report/nightTexts';
import {
  countTasks,
  describeStop,
  summarizeReport,
  toMinutes,
} from '../../../app/present/report/reportTexts';
import { isoOrNull } from '../../../app/present/text';
import type { Accepted } from '../../../app/viewModel/report/accepted';
import type { ForecastAccuracy } from '../../../app/viewModel/report/forecastAccuracy';
import type { NightReport } from '../../../app/viewModel/report/nightReport';
import type { ReportedTask } from '../../../app/viewModel/report/reportedTask';
import { needsAction, type Review } from '../../../app/viewModel/report/risk';
import { TASK_ENDS } from '../../../app/viewModel/report/taskEnd';
import { skippedTimesAsJson } from '../../../app/viewModel/taskSkips';
import { WINDOWS } from '../../../domain/gate/usageWindows';
import { OUTCOMES, type Attempt } from '../../../domain/task/attempt';
import { commandForStop, commandsFor } from './reportCommands';

/**
 * JSON of the account of a night: the contract of the field `night` of `report --json`. Fields are added; none is removed
 * or changes its meaning. What is not known is null. `tasks.byEnd` adds up to `tasks.total`, and `attempts.byOutcome` with
 * `running` and `workerDied` to `attempts.total`.
 */
export function nightAsJson(report: NightReport): object {
  const { from, until, sums, unended, ends, tasks } = report;
  return {
    from: isoOrNull(from),
    until: isoOrNull(until),
    summary: summarizeReport(report),
    tasks: {
      total: countTasks(ends),
      byEnd: Object.fromEntries(
        TASK_ENDS.map((end) => [end, ends.find((one) => one.end === end)?.count ?? 0]),
      ),
      overBefore: report.before,
    },
    attempts: {
      total: sums.attempts + unended.running + unended.died,
      byOutcome: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, sums.outcomes[outcome] ?? 0])),
      running: unended.running,
      workerDied: unended.died,
      knownFrom: isoOrNull(report.knownFrom),
      lastBefore: isoOrNull(report.lastBefore),
    },
    cost: { usd: knownCost(sums), attemptsWithoutCost: sums.attemptsWithoutCost },
    accepted: acceptedAsJson(report.accepted),
    forecast: forecastAsJson(report.forecast),
    stops: report.stops.map((stop) => ({
      kind: stop.kind,
      text: describeStop(stop),
      command: commandForStop(stop),
    })),
    needs: report.needs.map(needAsJson),
    perTask: tasks.map(taskAsJson),
    limits: {
      reached: report.limits.map(({ reason, at, resumedAt }) => ({
        reason,
        at: isoOrNull(at),
        resumedAt: isoOrNull(resumedAt),
      })),
      waitedMs: report.waitedForLimitsMs,
    },
    madeWay: report.madeWay.map((one) => ({ id: one.id, for: one.for, at: isoOrNull(one.at) })),
    usage: Object.fromEntries(
      WINDOWS.map((window) => [
        window,
        report.usage.points[window].map(({ at, utilization }) => ({ at: isoOrNull(at), utilization })),
      ]),
    ),
    gaps: report.gaps.map((gap) => ({
      from: isoOrNull(gap.from),
      to: isoOrNull(gap.to),
      isOpen: gap.isOpen,
      causes: gap.causes.map(({ kind }) => kind),
      text: describeGapCauses(gap, report),
    })),
    skipped: skippedTimesAsJson(report.skipped, report),
  };
}

/** Times in minutes, so that they are read without a calculation. Null: nothing was accepted. */
function acceptedAsJson(accepted: Accepted | null): object | null {
  if (accepted === null) return null;
  const { tasks, attemptsMs, waitedMs } = accepted;
  return { tasks, attemptMinutesPerTask: toMinutes(attemptsMs), medianMinutesToAccept: toMinutes(waitedMs) };
}

/** Numbers of times that held, and half of them at most how far off. Null: nothing has started. */
function forecastAsJson(forecast: ForecastAccuracy | null): object | null {
  if (forecast === null) return null;
  return forecast.kind === 'known'
    ? { start: forecast.start, end: forecast.end, unknown: null }
    : { start: null, end: null, unknown: forecast.why };
}

/** JSON of a task with its risk, which is null if it has none. */
export function needAsJson(need: Review): object {
  const { risk, task, dependents } = need;
  return {
    task: task.id,
    risk,
    needsAction: risk !== null && needsAction(risk),
    cause: describeCause(task),
    dependents,
    commands: commandsFor(need).map(({ command }) => command),
  };
}

function taskAsJson(task: ReportedTask): object {
  const { id, end, view, attempts, sums, diff, isDiffPartial, isUndone, denials } = task;
  return {
    task: id,
    title: view === null ? null : nameTask(task),
    user: view?.task.definition.user ?? null,
    end,
    ...endAsJson(attempts.at(-1)),
    cause: describeCause(task),
    attempts: attempts.map(({ number }) => number),
    startedAt: isoOrNull(attempts[0]?.startedAt ?? null),
    costUsd: knownCost(sums),
    isCostPartial: sums.attemptsWithoutCost > 0,
    diff,
    isDiffPartial,
    isUndone,
    denials,
  };
}

function endAsJson(last: Attempt | undefined): object {
  if (last === undefined) return { outcome: null, reason: null, endedAt: null };
  return { outcome: last.outcome, reason: last.reason, endedAt: isoOrNull(last.endedAt) };
}
