import { groupBy } from '../lists';
import type { World } from '../reasons/world';
import { isReady } from '../reasons/explain';
import type { FoundByKind } from '../reasons/explainWait';
import type { TaskView } from '../queue/view';
import { candidateOf, compareCandidates, compareTenants, keyOf, type Candidate } from './candidates';
import { candidatesFor, takes, tenantOf, type Choice } from './choice';
import { rankFor, servedAt } from './tenantTurns';
import { WaitingTasks } from './waitingTasks';

/**
 * Returns the next task in the queue's order; null: none is ready. Tenants alternate: of those with a ready task, the
 * one served longest ago, or never, is next. Among several never served, the one whose task has the highest class is
 * next, then the one whose task is first.
 * Within a tenant the highest class is served: in it stopped tasks, then promoted ones, then row order. Leftover tasks
 * come last.
 *
 * Promise about waiting: let a task count as high because it waited, with only other tasks in its way. Workers that may
 * take it, and serve all tenants alike, then start only these before it:
 * - of its own tenant: critical tasks, and tasks of its class that were stopped, or were promoted too and are above it.
 *   Each of the latter two starts for one occurrence: until it succeeds, ends in review or has failed. A repeating task
 *   does so again when it has waited as long again.
 * - of each other tenant: at most one task more than of its own.
 * By default a medium task counts as high after 4 hours, a low one after 28. So without critical tasks only leftover
 * tasks can wait for ever.
 *
 * @param waiting the waiting tasks of this world; absent: they are collected, unless the choice names one
 */
export function choose(world: World, choice: Choice = {}, waiting?: WaitingTasks): TaskView | null {
  const found: FoundByKind = new Map();
  const isNext = ({ task, effective }: Candidate): boolean =>
    takes(choice, task, effective, world.settings) && isReady(task, world, choice.override, found);
  if (choice.id !== undefined) {
    const named = candidatesFor(world, choice).map((task) => candidateOf(task, world));
    return named.find(isNext)?.task ?? null;
  }
  return findNext(waiting ?? WaitingTasks.of(world), world, choice, isNext);
}

/** Returns the first of the tenants' best tasks. Tenants of equal rank are compared by these. */
function findNext(
  waiting: WaitingTasks,
  { queue }: World,
  choice: Choice,
  isNext: (candidate: Candidate) => boolean,
): TaskView | null {
  let next: { readonly best: Candidate; readonly rank: number } | null = null;
  for (const { tenant, bound, list } of waiting.inTurn(choice)) {
    const rank = rankFor(tenant, queue, choice);
    if (next !== null && (rank > next.rank || compareTenants(bound, keyOf(next.best)) >= 0)) break;
    const best = list.items.find(isNext);
    if (best === undefined) continue;
    if (next === null || compareTenants(keyOf(best), keyOf(next.best)) < 0) next = { best, rank };
  }
  return next?.best.task ?? null;
}

/** Returns these tasks in the order in which workers would take them if nothing changed meanwhile. */
export function inServingOrder(tasks: readonly TaskView[], world: World): TaskView[] {
  const { queue } = world;
  const candidates = tasks.map((task) => candidateOf(task, world));
  const byTenant = groupBy(candidates, ({ task }) => tenantOf(task));
  const tenants = [...byTenant].map(([tenant, own]) => ({
    servedAt: servedAt(tenant, queue),
    own: own.sort(compareCandidates),
  }));
  const rounds = tenants.flatMap(({ servedAt, own }) =>
    own.map((candidate, round) => ({ candidate, round, servedAt })),
  );
  return rounds
    .sort(
      (a, b) =>
        a.round - b.round ||
        a.servedAt - b.servedAt ||
        compareTenants(keyOf(a.candidate), keyOf(b.candidate)),
    )
    .map(({ candidate }) => candidate.task);
}

/** Whether more than `than` tasks are ready for a claimer. */
export function hasMoreReady(world: World, choice: Choice, than: number): boolean {
  const found: FoundByKind = new Map();
  let ready = 0;
  for (const task of candidatesFor(world, choice)) {
    const { effective } = candidateOf(task, world);
    if (!takes(choice, task, effective, world.settings)) continue;
    if (isReady(task, world, choice.override, found)) ready += 1;
    if (ready > than) return true;
  }
  return false;
}
