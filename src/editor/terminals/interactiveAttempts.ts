import * as vscode from 'vscode';
import type { InteractiveAttempt } from '../../app/actions/attempts/interactiveAttempt';
import type { HookEventReader } from '../../claude/interactive/hookEvents';
import type { SessionView } from '../../claude/interactive/interactiveSession';
import type { Verdict } from '../../domain/task/attempt';
import type { TaskId } from '../../domain/task/task';
import { isUserHere, type Claim } from '../../domain/queue/view';
import type { WindowServices } from '../state/services';
import { showFailure } from '../status/failures';
import { findTerminal } from './findTerminal';
import { InteractiveTerminals } from './interactiveTerminals';
import { viewModelOf } from '../state/queueState';
import type { OpenedQueue } from '../state/openedQueue';
import { addFolderName } from '../state/folderName';
import { t } from '../../platform/text/translate';
import { showInformation } from '../messages';

/** Milliseconds between two looks at the user's interactive sessions, while there are any. */
const LOOK_MS = 1_000;

interface Followed {
  readonly claim: Claim;
  readonly reader: HookEventReader;
  /** Limit that was already reported to the gate. */
  reported: string;
  /** Its end was handled; only the user's report is missing. */
  isSettled: boolean;
}

/**
 * Follows the interactive runs of this queue by the events of their hooks. It shows the state of each, reports limits
 * to the gate, and asks the user for the result after the end. Only the workspace that had the terminal asks.
 */
export class InteractiveAttempts implements vscode.Disposable {
  private readonly followed = new Map<number, Followed>();
  private readonly terminals: InteractiveTerminals;
  /** Tasks whose terminals are being opened; null while one is being chosen. */
  private readonly opening = new Set<TaskId | null>();
  /** Marks of runs for which the user has just reported the result. */
  private readonly settling = new Set<string>();
  private readonly subscription: vscode.Disposable;
  private timer: NodeJS.Timeout | null = null;
  private looking = false;
  private isOver = false;
  /** Last failure of following each run; each is logged once. */
  private readonly failures = new Map<string, string>();

  constructor(
    private readonly services: Pick<WindowServices, 'name' | 'redis' | 'queueModel' | 'log' | 'memory'>,
  ) {
    this.terminals = new InteractiveTerminals(services.memory);
    this.subscription = vscode.Disposable.from(
      services.queueModel.onDidChange(() => {
        this.schedule();
      }),
      vscode.window.onDidCloseTerminal(() => void this.look()),
    );
  }

  /** Runs `open` unless the same task is being opened already, for example by a second click. */
  async once(id: TaskId | null, open: () => Promise<void>): Promise<void> {
    if (this.opening.has(id)) return;
    this.opening.add(id);
    try {
      await open();
    } finally {
      this.opening.delete(id);
    }
  }

  /** Opens the terminal whose process is `claude`, and records that process. */
  async open({ queueContext, queue }: OpenedQueue, prepared: InteractiveAttempt): Promise<void> {
    const { claim, place, isNew } = prepared;
    const terminal = this.terminals.open(prepared);
    try {
      const pid = await terminal.processId;
      const run = pid === undefined ? null : queueContext.host.processes.identify(pid);
      if (run === null) {
        const { Problem } = await import('../../domain/problem');
        throw new Problem('worker-not-started', t('Claude Code did not start in {0}.', place.folder));
      }
      await this.terminals.remember(claim);
      await queue.start(claim, run, queueContext.host.createId());
    } catch (error) {
      // Without a recorded process nobody would follow it, so a new claim is released.
      terminal.dispose();
      await this.terminals.forget(claim);
      if (isNew) await queue.release(claim, 'person', queueContext.host.createId()).catch(this.logFailure);
      throw error;
    }
  }

  /** Shows the terminal of a run; returns false if this window does not have it. */
  async show({ run }: Claim): Promise<boolean> {
    const terminal = run === undefined ? null : await findTerminal(run.pid);
    terminal?.show();
    return terminal !== null;
  }

  /** Ends a run that is open in a terminal, then reports the result that the user gave, without asking again. */
  async settle({ queueContext }: OpenedQueue, claim: Claim, work: () => Promise<void>): Promise<void> {
    const { endRunning } = await import('../../app/actions/attempts/userClaim');
    this.settling.add(claim.mark);
    try {
      const terminal = claim.run === undefined ? null : await findTerminal(claim.run.pid);
      terminal?.dispose();
      await endRunning(queueContext, claim);
      await work();
      await this.terminals.forget(claim);
    } finally {
      this.settling.delete(claim.mark);
    }
  }

  dispose(): void {
    // A look under way plans none after it.
    this.isOver = true;
    this.subscription.dispose();
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private get claims(): readonly Claim[] {
    if (!vscode.workspace.isTrusted) return [];
    const viewModel = viewModelOf(this.services.queueModel.state);
    if (viewModel === null) return [];
    const { snapshot, world } = viewModel;
    return snapshot.claims.filter(({ owner, run }) => isUserHere(owner, world) && run !== undefined);
  }

  private schedule(): void {
    if (this.isOver || this.timer !== null || this.claims.length === 0) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.look().then(() => {
        this.schedule();
      });
    }, LOOK_MS);
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      const { claims } = this;
      for (const token of this.followed.keys()) {
        if (!claims.some((claim) => claim.token === token)) this.followed.delete(token);
      }
      // A failure of one does not stop the looks at the others.
      for (const claim of claims) {
        await this.lookAt(claim).then(() => this.failures.delete(claim.mark), this.reportFailure(claim));
      }
    } finally {
      this.looking = false;
    }
  }

  private reportFailure({ id, mark }: Claim): (error: unknown) => Promise<void> {
    return async (error) => {
      const { describeError } = await import('../../app/present/problems/problem');
      const message = describeError(error);
      if (this.failures.get(mark) === message) return;
      this.failures.set(mark, message);
      this.services.log.error(`The interactive attempt of task ${String(id)} could not be followed`, message);
    };
  }

  private readonly logFailure = async (error: unknown): Promise<void> => {
    const { describeError } = await import('../../app/present/problems/problem');
    this.services.log.error('A task could not be returned', describeError(error));
  };

  private async lookAt(claim: Claim): Promise<void> {
    const session = await this.services.queueModel.useQueue();
    await session.use(() => this.lookWith(session, claim));
  }

  private async lookWith(session: OpenedQueue, claim: Claim): Promise<void> {
    const { describeSession } = await import('../../claude/interactive/interactiveSession');
    const { host } = session.queueContext;
    const followed = await this.follow(session, claim);
    const moment = { now: host.clock.now(), timeZone: host.timeZone };
    const events = await followed.reader.read();
    const isOver = claim.run !== undefined && !host.processes.isAlive(claim.run);
    const view = await describeSession(events, moment);
    await this.summarizeGate(session, followed, view);
    this.services.queueModel.note(claim.id, isOver ? ENDED : await this.describe(claim, view));
    // A task may get another terminal while the user has it.
    if (!isOver) followed.isSettled = false;
    else if (!followed.isSettled && !this.settling.has(claim.mark)) await this.end(session, followed);
  }

  /** Describes the session, and at a limit what the user can do. */
  private async describe(claim: Claim, { state, sentence }: SessionView): Promise<string> {
    if (state !== 'limit') return sentence;
    const { approvable, isApproved } = await import('../../domain/task/approval');
    const world = viewModelOf(this.services.queueModel.state)?.world;
    const row = world?.byId.get(claim.id);
    const hasApproval =
      row !== undefined &&
      world !== undefined &&
      isApproved(approvable(row.definition, row.state.power), world.approvedRows);
    const next = hasApproval
      ? t('Close the terminal to let the queue resume it later.')
      : t('Close the terminal and approve the task to let the queue resume it later.');
    return `${sentence} ${next}`;
  }

  private async follow({ queueContext }: OpenedQueue, claim: Claim): Promise<Followed> {
    const known = this.followed.get(claim.token);
    if (known !== undefined) return known;
    const { createHookEventReader } = await import('../../claude/interactive/hookEvents');
    const { eventsFileOf } = await import('../../app/actions/attempts/interactiveAttempt');
    const followed = {
      claim,
      reader: createHookEventReader(eventsFileOf(queueContext, claim)),
      reported: '',
      isSettled: false,
    };
    this.followed.set(claim.token, followed);
    return followed;
  }

  private async summarizeGate(
    { queueContext }: OpenedQueue,
    followed: Followed,
    { signal }: SessionView,
  ): Promise<void> {
    const key = signal === undefined ? '' : `${signal.kind} ${String(signal.resetAt)}`;
    if (signal === undefined || key === followed.reported) return;
    await (await queueContext.openGate()).report({ signal, usage: [] });
    // Set only now: a failed report is repeated at the next look.
    followed.reported = key;
  }

  /**
   * Handles the end of `claude`. At a limit the task returns to the queue by itself; otherwise only the user knows the
   * result.
   */
  private async end(session: OpenedQueue, followed: Followed): Promise<void> {
    const { verdictOfSession } = await import('../../claude/interactive/interactiveSession');
    const { host } = session.queueContext;
    const { claim } = followed;
    const moment = { now: host.clock.now(), timeZone: host.timeZone };
    const verdict = await verdictOfSession(await followed.reader.read(), { exitCode: null }, moment);
    if (verdict !== null) await this.endAtLimit(claim, verdict);
    // Forgotten at a limit too: there is nothing to ask.
    const wasOurs = await this.terminals.forget(claim);
    followed.isSettled = true;
    if (verdict === null && wasOurs) void this.ask(claim);
  }

  private async endAtLimit(claim: Claim, verdict: Verdict): Promise<void> {
    const { endAtLimit } = await import('../../app/actions/attempts/endUserClaim');
    const { Fenced } = await import('../../domain/problem');
    try {
      await this.services.queueModel.change(({ queueContext, queue }) =>
        endAtLimit(queueContext, queue, claim, verdict),
      );
    } catch (error) {
      // Another window handled it first.
      if (!(error instanceof Fenced)) throw error;
    }
  }

  private async ask({ id, token }: Claim): Promise<void> {
    const answers = [
      { title: t('Done'), outcome: 'success' },
      { title: t('Failed'), outcome: 'error' },
      { title: t('Return to Queue'), outcome: null },
    ] as const;
    const chosen = await showInformation(
      addFolderName(this.services, t('Claude Code has ended on task {0}. What is the result?', id)),
      ...answers.map(({ title }) => title),
    );
    const answer = answers.find(({ title }) => title === chosen);
    if (answer === undefined) return;
    // The question may have been open for hours.
    if (!this.claims.some((claim) => claim.token === token)) {
      void showInformation(t('The attempt of task {0} has been ended already. Nothing was changed.', id));
      return;
    }
    try {
      const { handTaskBack } = await import('../commands/tasks/nextTask');
      await handTaskBack({ ...this.services, interactiveAttempts: this }, id, answer.outcome);
    } catch (error) {
      await showFailure(this.services, answer.title, error);
    }
  }
}

const ENDED = t('Claude Code has ended. Mark the task (Done, Failed or Return to Queue)');
