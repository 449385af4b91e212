import type { Picture, ShownTask } from '../app/picture';
import { runsByItself } from '../app/possibleActions';
import { count } from '../app/words';
import type { Installation } from '../claude/installation';
import { explain, type Reason } from '../domain/explain';
import type { TaskId } from '../domain/task';
import type { PermissionChoice, WindowRule } from './editorSettings';

/** What Start is about to do, for a person to read before it is done. */
export interface StartPlan {
  /** What is about to happen, and as whom Claude Code runs. */
  readonly title: string;
  /** The one task that is to run; null: the worker goes from task to task. */
  readonly only: TaskId | null;
  /** New or changed: these need approval before they run. */
  readonly unapproved: readonly ShownTask[];
  /** Approved, and will run now or when what they wait for has come. */
  readonly approved: readonly ShownTask[];
  /** Words of the actions that are offered, most likely first. */
  readonly offers: readonly StartOffer[];
}

export interface StartOffer {
  readonly kind: 'approve-and-start' | 'start';
  readonly words: string;
  readonly detail: string;
}

/** The plan for a queue as it is; `only`: that one task, whatever its place and time. */
export function planStart(picture: Picture, installation: Installation, only?: TaskId): StartPlan {
  const tasks = picture.tasks.filter(({ task }) => only === undefined || task.definition.id === only);
  const unapproved = tasks.filter(({ reason }) => reason.shown === 'unapproved');
  const approved = tasks
    .filter((shown) => only !== undefined || runsByItself(shown))
    .filter((shown) => !unapproved.includes(shown));
  return {
    title: `${only === undefined ? 'Start' : `Run task ${String(only)}`}: ${describeAccount(installation)}`,
    only: only ?? null,
    unapproved,
    approved,
    offers: offersFor(unapproved.length, approved.length, only),
  };
}

/**
 * Why a task that a person names cannot run now, once it is approved; null: it can. The rules are those of
 * `claude-queue run --id`, which passes over its time and a hold, and begins with giving back what dead workers had.
 */
export function whyNotNow({ world }: Picture, only: TaskId): Reason | null {
  const task = world.byId.get(only);
  if (task === undefined) return NOT_UNDERSTOOD;
  const claims = world.queue.claims.filter(({ ownerDied }) => ownerDied !== true);
  const approved = {
    ...world,
    queue: { ...world.queue, claims },
    proofs: { ...world.proofs, trusted: true },
  };
  const reason = explain(task, approved, { time: true });
  return reason.shown === 'ready' ? null : reason;
}

const NOT_UNDERSTOOD: Reason = { shown: 'invalid', text: 'its row cannot be understood', waitsFor: 'person' };

/** What a person approved or saw listed, and that was changed since: it waits for approval after all. */
export function findChanged(listed: readonly ShownTask[], now: Picture): readonly TaskId[] {
  const unapproved = now.tasks.filter(({ reason }) => reason.shown === 'unapproved');
  const waiting = new Set(unapproved.map(({ task }) => task.definition.id));
  return listed.map(({ task }) => task.definition.id).filter((id) => waiting.has(id));
}

function offersFor(unapproved: number, approved: number, only: TaskId | undefined): StartOffer[] {
  const verb = only === undefined ? 'start' : 'run';
  const approving: StartOffer = {
    kind: 'approve-and-start',
    words: `Approve and ${verb}`,
    detail: `${count(unapproved, 'new or changed task')} may then run unattended on this machine, exactly as listed`,
  };
  if (only !== undefined) {
    return unapproved > 0 ? [approving] : [{ kind: 'start', words: 'Run', detail: 'unattended, now' }];
  }
  const starting: StartOffer = {
    kind: 'start',
    words: unapproved > 0 ? 'Start without them' : 'Start',
    detail: `${count(approved, 'approved task')} will run; what is not approved waits`,
  };
  if (unapproved === 0) return [starting];
  return approved === 0 ? [approving] : [approving, starting];
}

const BILLED: Readonly<Record<Installation['billing'], string>> = {
  subscription: 'billed to the subscription',
  'api-key': 'billed to an API key',
  none: 'not signed in',
};

function describeAccount({ version, auth, billing }: Installation): string {
  const who = auth.email === undefined ? '' : ` of ${auth.email}`;
  return `Claude Code ${version ?? '(unknown version)'}, ${BILLED[billing]}${who}`;
}

/** What Claude may do by itself, in a person's words. */
export const PERMISSION_WORDS: Readonly<Record<PermissionChoice, string>> = {
  ask: 'not chosen yet',
  auto: 'what Claude Code itself judges to be safe (auto)',
  acceptEdits: 'edit files; other tools need a rule (acceptEdits)',
  manual: 'only what your own rules allow (manual)',
  dontAsk: 'only what your own rules allow, without asking (dontAsk)',
  plan: 'only read and plan (plan)',
};

/** What happens when the last window closes, in a person's words. */
export const WINDOW_RULE_WORDS: Readonly<Record<WindowRule, string>> = {
  finishTask: 'finish the task that runs, then stop',
  goOn: 'go on',
  stopNow: 'stop at once, to go on later',
};
