import { admitAttempt, findBlockFor, phaseOf, type GateRules } from '../../../src/domain/gate/gateOpening';
import { applyReport, type AttemptReport } from '../../../src/domain/gate/gateReport';
import {
  OPEN_GATE,
  type GateView,
  type LimitSignal,
  type ModelChoice,
  type Starter,
} from '../../../src/domain/gate/gate';

export const NOW = Date.UTC(2026, 10, 20, 19, 40);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const RESET = NOW + 2 * HOUR;
export const OPENS = RESET + MINUTE;
export const RULES: GateRules = {
  limitFallback: 4.5 * HOUR,
  openAfterReset: MINUTE,
  openStagger: 15 * SECOND,
};
export const LIMIT: LimitSignal = { kind: 'five_hour', resetAt: RESET, message: 'limit' };

function starter(id: number, model?: string, machine?: string): Starter {
  const process = { pid: id, startedAt: `start-${id}` };
  return {
    task: { queue: '/q', id },
    worker: String(id),
    process,
    ...(model === undefined ? {} : { model }),
    ...(machine === undefined ? {} : { machine }),
  };
}

const asked = (model: string | undefined): ModelChoice => (model === undefined ? {} : { model });

/** A gate as runs and anyone who asks before a run make it, one after another. */
export class Gate {
  now = NOW;
  view: GateView = OPEN_GATE;

  constructor(readonly rules = RULES) {}

  meet(id: number, signal: LimitSignal | null, more: Partial<AttemptReport> = {}): void {
    const met = { signal, usage: [], task: { queue: '/q', id }, worker: String(id), ...more };
    this.view = applyReport(this.view, met, this.now, this.rules);
  }

  pass(id: number, more: Partial<AttemptReport> = {}): void {
    this.meet(id, null, { passed: true, ...more });
  }

  admits(id: number, model?: string, machine?: string): boolean {
    const admitted = admitAttempt(this.view, starter(id, model, machine), this.now, this.rules);
    this.view = admitted ?? this.view;
    return admitted !== null;
  }

  get phase(): string {
    const [block] = this.view.closures;
    return block === undefined ? 'open' : phaseOf(block, this.now, this.rules).kind;
  }

  isOpenFor(model?: string): boolean {
    return findBlockFor(this.view, asked(model), this.now, this.rules) === null;
  }
}
