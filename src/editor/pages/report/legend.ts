import type { Gap } from '../../../app/viewModel/report/gaps';
import type { ReportedTask } from '../../../app/viewModel/report/reportedTask';
import type { Claim } from '../../../domain/queue/view';
import { t } from '../../../platform/text/translate';
import { type Html, markup } from '../html';
import { END_KINDS, KIND_NAMES, kindOfEnd } from '../history/attemptRows';

const NAMES = { ...KIND_NAMES, running: t('running'), gap: t('nothing ran') } as const;

type BarKind = keyof typeof NAMES;

const KINDS: readonly BarKind[] = [...END_KINDS.map(({ kind }) => kind), 'running', 'gap'];

/** Returns the kind of the bar of an attempt that has not ended. */
export function kindOfClaim(claim: Claim): BarKind {
  return claim.ownerDied === true ? 'other' : 'running';
}

/**
 * Names what is drawn in the timeline of these tasks and gaps. For screen readers the table says the same. Null: nothing
 * is drawn.
 */
export function drawLegend(tasks: readonly ReportedTask[], gaps: readonly Gap[]): Html | null {
  const drawn = new Set<BarKind>([
    ...tasks.flatMap(({ attempts, view }) => [
      ...attempts.map(({ outcome }) => kindOfEnd(outcome)),
      ...(view?.task.claim === undefined ? [] : [kindOfClaim(view.task.claim)]),
    ]),
    ...gaps.map(() => 'gap' as const),
  ]);
  if (drawn.size === 0) return null;
  return markup`<p class="legend" aria-hidden="true">${KINDS.filter((kind) => drawn.has(kind)).map(
    (kind) => markup`<span class="swatch ${kind}">${NAMES[kind]}</span>`,
  )}</p>`;
}
