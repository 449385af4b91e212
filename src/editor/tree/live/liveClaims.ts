import type { QueueViewModel } from '../../../app/viewModel/queueViewModel';
import type { Claim } from '../../../domain/queue/view';

/** Returns the claims whose attempts write their output on this machine now. */
export function findLiveClaims(viewModel: QueueViewModel | null): readonly Claim[] {
  if (viewModel === null) return [];
  const { snapshot, world } = viewModel;
  return snapshot.claims.filter(
    ({ owner, ownerDied }) =>
      owner.kind === 'process' && ownerDied !== true && owner.machine === world.machine,
  );
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Whether the age of a claim, in seconds or from one minute in minutes, is another one than at the last look. */
export function isAgeStale({ at }: Pick<Claim, 'at'>, lookedAt: number, now: number): boolean {
  const unit = now - at < MINUTE_MS ? SECOND_MS : MINUTE_MS;
  return Math.floor((now - at) / unit) !== Math.floor((lookedAt - at) / unit);
}
