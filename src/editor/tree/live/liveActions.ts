import * as vscode from 'vscode';
import { shorten } from '../../../app/present/text';
import type { Claim } from '../../../domain/queue/view';
import type { TaskId } from '../../../domain/task/task';
import { systemClock } from '../../../platform/clock';
import type { QueueModel } from '../../state/queueModel';
import { viewModelOf } from '../../state/queueState';
import type { ActionTail } from './actionTail';
import { findLiveClaims, isAgeStale } from './liveClaims';

/** Milliseconds between two looks at the output of running attempts, while the tree is visible. */
const LOOK_MS = 1_000;

/** Maximum characters of an action. */
const WIDTH = 80;

/** Running attempt that is followed. */
interface Followed {
  readonly claim: Claim;
  readonly tail: ActionTail;
}

/** Last action of Claude in each running attempt of this machine. Followed only while the tree is visible. */
export class LiveActions implements vscode.Disposable {
  actions: ReadonlyMap<TaskId, string> = new Map();
  private followed: readonly Followed[] = [];
  private isVisible = false;
  private timer: NodeJS.Timeout | null = null;
  private isLooking = false;
  private lookedAt = 0;
  private readonly changed = new vscode.EventEmitter<void>();
  /** An action changed, or the time that is shown for a running attempt. */
  readonly onDidChange = this.changed.event;
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly queueModel: QueueModel,
    private readonly log: Pick<vscode.LogOutputChannel, 'warn'>,
  ) {
    this.subscription = queueModel.onDidChange(() => {
      this.plan();
    });
  }

  /** Starts or stops following. */
  show(isVisible: boolean): void {
    this.isVisible = isVisible;
    this.plan();
  }

  dispose(): void {
    this.stop();
    vscode.Disposable.from(this.subscription, this.changed).dispose();
  }

  private plan(): void {
    const claims = findLiveClaims(viewModelOf(this.queueModel.state));
    if (!this.isVisible || claims.length === 0) {
      this.stop();
      return;
    }
    this.timer ??= setInterval(() => void this.look(), LOOK_MS);
    void this.look();
  }

  private stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      await this.read();
    } catch (error) {
      this.log.warn(`The output of running tasks could not be read: ${String(error)}`);
      this.stop();
    } finally {
      this.isLooking = false;
    }
  }

  private async read(): Promise<void> {
    const claims = findLiveClaims(viewModelOf(this.queueModel.state));
    const { followAction } = await import('./actionTail');
    const session = await this.queueModel.useQueue();
    this.followed = claims.map(
      (claim) =>
        this.followed.find((each) => each.claim.token === claim.token) ?? {
          claim,
          tail: followAction(session.queueContext, claim),
        },
    );
    const found = await Promise.all(
      this.followed.map(async ({ claim, tail }) => [claim.id, shorten(await tail.read(), WIDTH)] as const),
    );
    const actions = new Map(found.filter(([, text]) => text !== ''));
    const now = systemClock.now();
    const isSame =
      actions.size === this.actions.size && [...actions].every(([id, text]) => this.actions.get(id) === text);
    const isStale = claims.some((claim) => isAgeStale(claim, this.lookedAt, now));
    [this.actions, this.lookedAt] = [actions, now];
    if (!isSame || isStale) this.changed.fire();
  }
}
