import * as vscode from 'vscode';
import type { InteractiveRun } from '../app/interactiveRun';
import type { HookEventReader } from '../claude/hookEvents';
import type { SessionView } from '../claude/interactiveSession';
import type { TaskId } from '../domain/task';
import type { Claim } from '../domain/view';
import type { Desk } from './desk';
import { showFailure } from './failures';
import { pictureOf } from './queueState';
import type { QueueSession } from './session';

/** How often the sessions that a person works in are looked at, while there are any. */
const LOOK_MS = 1_000;

interface Followed {
  readonly claim: Claim;
  readonly reader: HookEventReader;
  /** The limit that the gate was told of already. */
  told: string;
  /** Whether this window has asked what became of the task. */
  asked: boolean;
}

/**
 * Follows the interactive runs of this queue by what their hooks tell: what each one stands at is shown, a limit closes
 * the gate, and after the end the person is asked what became of the task, in the window that has the terminal.
 */
export class InteractiveRuns implements vscode.Disposable {
  private readonly followed = new Map<number, Followed>();
  private readonly terminals = new Map<number, vscode.Terminal>();
  private readonly subscription: vscode.Disposable;
  private timer: NodeJS.Timeout | null = null;
  private looking = false;

  constructor(private readonly desk: Pick<Desk, 'keeper' | 'log'>) {
    this.subscription = vscode.Disposable.from(
      desk.keeper.onDidChange(() => {
        this.schedule();
      }),
      vscode.window.onDidCloseTerminal(() => void this.look()),
    );
  }

  /** Opens the terminal whose process is `claude`, and puts that process on record. */
  async open(session: QueueSession, { claim, definition, program, start }: InteractiveRun): Promise<void> {
    const { site, queue } = session;
    const terminal = vscode.window.createTerminal({
      name: `Task ${String(definition.id)}`,
      shellPath: program,
      shellArgs: [...start.args],
      cwd: definition.workingDir,
      env: { ...start.env },
      iconPath: new vscode.ThemeIcon('account'),
    });
    terminal.show();
    const pid = await terminal.processId;
    const run = pid === undefined ? null : site.host.processes.identify(pid);
    if (run === null) {
      await queue.release(claim, 'person', site.host.createId());
      const { Problem } = await import('../domain/problem');
      throw new Problem('worker-not-started', `Claude Code did not start in ${definition.workingDir}.`);
    }
    this.terminals.set(claim.token, terminal);
    await queue.start(claim, run, site.host.createId());
  }

  dispose(): void {
    this.subscription.dispose();
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private get claims(): readonly Claim[] {
    if (!vscode.workspace.isTrusted) return [];
    const claims = pictureOf(this.desk.keeper.state)?.snapshot.claims ?? [];
    return claims.filter(({ owner, run }) => owner.kind === 'person' && run !== undefined);
  }

  private schedule(): void {
    if (this.timer !== null || this.claims.length === 0) return;
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
      for (const claim of claims) await this.lookAt(claim);
    } catch (error) {
      this.desk.log.error('An interactive run could not be followed', String(error));
    } finally {
      this.looking = false;
    }
  }

  private async lookAt(claim: Claim): Promise<void> {
    const { describeSession } = await import('../claude/interactiveSession');
    const session = await this.desk.keeper.useSession();
    const { host } = session.site;
    const followed = await this.follow(session, claim);
    const moment = { now: host.clock.now(), timeZone: host.timeZone };
    const events = await followed.reader.read();
    const isOver = claim.run !== undefined && !host.processes.isAlive(claim.run);
    const view = await describeSession(events, moment);
    await this.tellGate(session, followed, view);
    this.desk.keeper.note(claim.id, isOver ? ENDED : view.sentence);
    if (isOver && !followed.asked) await this.end(session, followed);
  }

  private async follow({ site }: QueueSession, claim: Claim): Promise<Followed> {
    const known = this.followed.get(claim.token);
    if (known !== undefined) return known;
    const { createHookEventReader } = await import('../claude/hookEvents');
    const { eventsFileOf } = await import('../app/interactiveRun');
    const followed = {
      claim,
      reader: createHookEventReader(eventsFileOf(site, claim)),
      told: '',
      asked: false,
    };
    this.followed.set(claim.token, followed);
    return followed;
  }

  private async tellGate({ site }: QueueSession, followed: Followed, { signal }: SessionView): Promise<void> {
    const key = signal === undefined ? '' : `${signal.kind} ${String(signal.resetAt)}`;
    if (signal === undefined || key === followed.told) return;
    followed.told = key;
    await (await site.openGate()).report(signal, []);
  }

  /** `claude` has ended. At a limit the task goes back to the queue by itself; else only the person knows. */
  private async end(session: QueueSession, followed: Followed): Promise<void> {
    const { verdictOfSession } = await import('../claude/interactiveSession');
    const { host } = session.site;
    followed.asked = true;
    const moment = { now: host.clock.now(), timeZone: host.timeZone };
    const verdict = await verdictOfSession(await followed.reader.read(), { exitCode: null }, moment);
    const { claim } = followed;
    if (verdict !== null) {
      const { endAtLimit } = await import('../app/handOver');
      await this.desk.keeper.change(({ site, queue }) => endAtLimit(site, queue, claim, verdict));
      return;
    }
    if (this.terminals.delete(claim.token)) void this.ask(claim.id);
  }

  private async ask(id: TaskId): Promise<void> {
    const answers = { Done: 'success', Failed: 'error', 'Give Back': null } as const;
    const chosen = await vscode.window.showInformationMessage(
      `Claude Code has ended on task ${String(id)}. What became of the task?`,
      ...(Object.keys(answers) as (keyof typeof answers)[]),
    );
    if (chosen === undefined) return;
    try {
      const { handTaskBack } = await import('./commands/nextTask');
      await handTaskBack(this.desk, id, answers[chosen]);
    } catch (error) {
      await showFailure(this.desk, chosen, error);
    }
  }
}

const ENDED = 'Claude Code has ended: say what became of the task (Done, Failed or Give Back)';
