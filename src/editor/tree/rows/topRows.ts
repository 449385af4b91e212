import * as path from 'node:path';
import type { ShownNotice } from '../../../app/notify/accountNotices';
import { describeWhy } from '../../../app/present/pause';
import type { ShownReason } from '../../../app/present/reasons/reason';
import type { QueueViewModel } from '../../../app/viewModel/queueViewModel';
import { describeRowless, describeWorkers, findRowless, listLastTasks } from '../../../app/present/workers';
import { describeSettingProblem, describeWithSource } from '../../../app/present/problems/settingProblem';
import { describeClaim } from '../../../app/present/reasons/claim';
import { describeLastKnown, describeOutage, nameOutage } from '../../../app/present/outage';
import {
  describeMissingWorker,
  type LateTimer,
  nameMissingWorker,
  shortLateTimer,
} from '../../../app/present/timers/missingWorkerTexts';
import { EDITOR, type SettingProblem } from '../../../domain/settings/settings';
import { formatTime, type Moment } from '../../../domain/time/moment';
import type { Failing } from '../../state/queueState';
import type { Cause } from '../../../domain/reasons/reason';
import type { CommandName } from '../../commandIds';
import type { RowCommand, RowIcon, TreeRow } from './treeRow';
import { t } from '../../../platform/text/translate';

/** Fact that stops everything, or soon will: a row of the tree above the groups. */
export interface TopRow {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  /** Text for a narrow row, in place of its description. Screen readers still read the description. */
  readonly short?: string;
  /** Lines of plain text. */
  readonly details: readonly string[];
  readonly needsUser: boolean;
  /** Whether the user chose it. */
  readonly isOwn?: true;
  readonly icon?: RowIcon;
  /** Words for the `when` of menus. */
  readonly traits: readonly string[];
  /** Commands that end it. */
  readonly actions: readonly CommandName[];
  /** Files and parts of VS Code where the user can end it. */
  readonly opens?: readonly RowCommand[];
}

/** Row of a window in Restricted Mode. */
export const RESTRICTED: TopRow = {
  key: 'restricted',
  title: t('Restricted Mode'),
  description: t('No task can start from this window'),
  details: [t('To add, change or start tasks, trust this workspace.')],
  needsUser: false,
  icon: ['shield', 'charts.yellow'],
  traits: [],
  actions: [],
  opens: [{ command: 'workbench.trust.manage', title: t('Manage Workspace Trust') }],
};

/** Title of a timer that did not start a worker. */
export const LATE_TIMER = t('Timer is late');

/** Returns the row that says why a queue in Redis cannot be read. */
export function redisRows({ redis, message, outage }: Failing): TopRow[] {
  if (redis === undefined || outage === undefined) return [];
  const { since, moment, lastKnown } = outage;
  const title = nameOutage(redis);
  const when = describeOutage(since, moment);
  const time = formatTime(since, moment);
  const needsUser = redis === 'refused';
  // A narrow tree cuts off the end: the user needs the reason if they have to act, else the time.
  const description = needsUser ? `${message} (${when})` : t('{0}. {1}', when, message);
  const details = [
    needsUser ? t('Redis cannot be used since {0}.', time) : t('Redis is away since {0}.', time),
    message,
    ...(lastKnown === null ? [] : [describeLastKnown(since, moment)]),
  ];
  return [{ key: 'redis', title, description, details, needsUser, traits: [], actions: [] }];
}

/** Returns the rows above the groups, those that need the user first. */
export function topRows(viewModel: QueueViewModel): readonly TopRow[] {
  const rows = [
    ...viewModel.account.map(toAccountRow),
    ...workerRows(viewModel),
    ...stoppingRows(viewModel),
    ...rowlessRows(viewModel),
    ...viewModel.stops.flatMap((stop) => toStopRow(stop, viewModel)),
  ];
  const rank = ({ needsUser, isOwn }: TopRow): number => (needsUser ? 0 : isOwn === true ? 1 : 2);
  return [0, 1, 2].flatMap((wanted) => rows.filter((row) => rank(row) === wanted));
}

function toAccountRow(notice: ShownNotice): TopRow {
  const { kind, model, title, text, short, message, needsUser, isResettable } = notice;
  const isSignIn = kind === 'sign-in';
  return {
    key: ['account', kind, model].filter((part) => part !== undefined).join('-'),
    title,
    description: text,
    ...(short === null ? {} : { short }),
    details: [
      ...[title, text, t('Claude Code said: {0}', message)],
      ...(isResettable ? [t('After you use /limit-reset, choose Try Now.')] : []),
    ],
    needsUser,
    traits: needsUser ? [...(isSignIn ? ['signIn'] : []), 'accountBlock'] : ['usageLimit'],
    actions: needsUser ? [...(isSignIn ? (['signIn'] as const) : []), 'resume'] : ['tryNow'],
  };
}

/** Returns the row of a pause, of quiet hours, of a reserve, or of a used-up budget. Rows of the account have more facts. */
function toStopRow(stop: ShownReason, viewModel: QueueViewModel): TopRow[] {
  const { text, waitsFor } = stop;
  const [cause] = stop.causes;
  if (cause === undefined) return [];
  const title = STOP_TITLES[cause.kind];
  if (title === undefined) return [];
  const isReview = cause.kind === 'unreviewed';
  const needsUser = cause.kind === 'failures' || cause.kind === 'settings';
  const isOwn = waitsFor === 'person' && !needsUser;
  const problems = cause.kind === 'settings' ? viewModel.settingProblems : [];
  return [
    {
      key: `stop-${cause.kind}`,
      title,
      description: describeStop(cause, stop, viewModel),
      details: [title, text, ...problems.map(describeWithSource)],
      needsUser,
      ...(isOwn ? { isOwn, icon: isReview ? REVIEW : PAUSED } : {}),
      traits: [],
      actions: actionsOf(cause.kind, waitsFor),
      opens: listInvalid(problems),
    },
  ];
}

/** Returns a command for each invalid setting of VS Code, and one for each file that has some. */
function listInvalid(problems: readonly SettingProblem[]): RowCommand[] {
  const files = new Set(problems.map(({ source }) => source).filter((source) => path.isAbsolute(source)));
  return [
    ...problems
      .filter(({ source }) => source === EDITOR)
      .map(({ name: setting }): RowCommand => {
        return { command: 'openSetting', title: t('Open Setting'), setting };
      }),
    ...[...files].map((file): RowCommand => {
      return { command: 'vscode.open', title: t('Open {0}', path.basename(file)), file };
    }),
  ];
}

function describeStop(
  cause: Cause,
  { text, until }: ShownReason,
  { world, settingProblems: [problem, ...others] }: QueueViewModel,
): string {
  if (cause.kind === 'hold') return describeWhy(cause.hold, world);
  if (cause.kind === 'settings' && problem !== undefined) {
    const message = describeSettingProblem(problem);
    return others.length === 0 ? message : `${message} (+${String(others.length)})`;
  }
  return until === undefined ? text : t('until {0}', formatTime(until, world));
}

function actionsOf(kind: Cause['kind'], waitsFor: ShownReason['waitsFor']): readonly CommandName[] {
  if (kind === 'settings') return ['checkMachine'];
  if (kind === 'unreviewed') return ['review', 'acceptVerified'];
  return waitsFor === 'person' ? ['resume'] : [];
}

const PAUSED: RowIcon = ['debug-pause', 'charts.yellow'];
const REVIEW: RowIcon = ['checklist', 'charts.yellow'];

const STOP_TITLES: Readonly<Partial<Record<Cause['kind'], string>>> = {
  settings: t('Invalid settings'),
  hold: t('Paused'),
  failures: t('Paused after failures'),
  unreviewed: t('Waiting for your review'),
  quiet: t('Quiet hours'),
  reserve: t('Reserved for you'),
  attempts: t('Attempts used up'),
  night: t("Night's budget used up"),
};

/** Returns the row that says that tasks are due and no worker runs them: its timer is late, or it died, or none was started. */
function workerRows({ missingWorkers, snapshot, world, stops }: QueueViewModel): TopRow[] {
  const timers = missingWorkers.found.flatMap((late) =>
    late.kind === 'timer-late' ? [timerRow(late, world)] : [],
  );
  const missing = missingWorkers.found.find((each) => each.kind === 'no-worker');
  if (timers.length > 0 || missing?.kind !== 'no-worker') return timers;
  const hasDied = snapshot.died.length > 0 || snapshot.claims.some(({ ownerDied }) => ownerDied === true);
  if (!hasDied && stops.length > 0) return [];
  const due = missing.ids.length;
  return [
    {
      key: 'no-worker',
      title: hasDied ? t('Worker died') : t('Not started'),
      description: due === 1 ? t('1 task is due') : t('{0} tasks are due', due),
      details: [t('{0}.', nameMissingWorker(missing, world))],
      needsUser: hasDied,
      ...(hasDied ? {} : { isOwn: true, icon: ['circle-outline'] }),
      traits: [],
      actions: ['start'],
    },
  ];
}

/** Returns the row of a stop that waits for running tasks: no other task starts, and that may take hours. */
function stoppingRows({ snapshot, world }: QueueViewModel): TopRow[] {
  const last = listLastTasks(snapshot);
  if (last === '') return [];
  return [
    {
      key: 'stopping',
      title: t('Stopping'),
      description: t('after task {0}', last),
      details: [describeWorkers(snapshot, world)],
      needsUser: false,
      isOwn: true,
      icon: ['debug-stop', 'charts.yellow'],
      traits: [],
      actions: [],
    },
  ];
}

/** Returns the row that names what runs without a valid row. */
function rowlessRows({ snapshot, world }: QueueViewModel): TopRow[] {
  const claims = findRowless(snapshot);
  if (claims.length === 0) return [];
  return [
    {
      key: 'rowless',
      title: t('No valid row'),
      description: claims.map((claim) => describeClaim(claim, world)).join(', '),
      details: describeRowless(snapshot, world),
      needsUser: false,
      traits: [],
      actions: [],
    },
  ];
}

/** Row of a late timer. */
function timerRow(late: LateTimer, moment: Moment): TopRow {
  return {
    key: late.kind,
    title: LATE_TIMER,
    description: shortLateTimer(late, moment),
    details: [describeMissingWorker(late, moment)],
    needsUser: true,
    traits: ['lateTimer'],
    actions: ['start', 'schedule'],
  };
}

const ACTIONS: Readonly<Partial<Record<CommandName, readonly [label: string, icon: string]>>> = {
  signIn: [t('Sign In…'), 'key'],
  resume: [t('Resume Queue'), 'debug-continue'],
  review: [t('Review Tasks…'), 'checklist'],
  acceptVerified: [t('Accept Verified Tasks…'), 'check-all'],
  tryNow: [t('Try Now'), 'debug-rerun'],
  start: [t('Start…'), 'play'],
  schedule: [t('Schedule Worker…'), 'clock'],
};

/** Returns the row in the tree of a fact that stops everything, with a row for each action. */
export function toTreeRow(
  { key, title, description, short, details, needsUser, traits, actions, icon, opens = [] }: TopRow,
  isOpen: boolean,
): TreeRow {
  const remedies = actions.flatMap((command) => {
    const [label, icon] = ACTIONS[command] ?? [];
    if (label === undefined || icon === undefined) return [];
    const rowCommand = { command, title: label };
    return [{ key: `${key}-${command}`, label, description: '', icon: [icon] as const, command: rowCommand }];
  });
  const opening = opens.map((command) => ({
    key: `${key}-${command.setting ?? command.file ?? ''}`,
    label: command.title,
    description: command.setting ?? '',
    icon: [command.file === undefined ? 'gear' : 'go-to-file'] as const,
    command,
  }));
  const children = [...opening, ...remedies];
  return {
    key,
    label: title,
    description: short ?? description,
    icon: icon ?? (needsUser ? ['warning', 'charts.red'] : ['watch', 'charts.yellow']),
    details,
    actions,
    traits,
    spoken: needsUser ? t('{0}: {1}. It needs attention', title, description) : `${title}: ${description}`,
    ...(children.length === 0 ? {} : { children, isOpen }),
  };
}
