// npm run test:simulation: plays as many histories as time allows, after it has shown that it finds planted bugs.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { SHOWN_STATES } from '../../src/domain/reasons/reason';
import { Coverage, EVENTS } from './audit/coverage';
import { whyUnreachable } from './audit/unreachable';
import { PLANTED_BUGS } from './bugs/plantedBugs';
import { Program } from './machine/program';
import { playHistory } from './play/history';
import { hunt } from './play/hunt';
import { keep } from './play/kept';
import { playInLanes } from './lanes/lanes';
import type { Exports } from './program/host';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: process.env['FUZZ_SEED'] ?? '1' },
    bugs: { type: 'boolean', default: false },
    bug: { type: 'string' },
    'bug-minutes': { type: 'string', default: '10' },
    trace: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const MINUTE = 60_000;
const MOST_SEEDS = 20_000;
/** Histories after which each pair that is not listed as unreachable must have been visited. The rarest come once in 30,000. */
const ENOUGH_HISTORIES = 100_000;

/** Plays the histories from a seed on until time is up. Returns whether all kept every promise. */
async function playOn(from: number, forMs: number): Promise<boolean> {
  const coverage = new Coverage();
  const startedAt = performance.now();
  let [count, runs, bad] = [0, 0, 0];
  let saidAt = startedAt;
  const end = await playInLanes(from, { forMs, lanes: availableParallelism() }, (played) => {
    count += 1;
    runs += played.runs;
    coverage.add(played.coverage);
    const own = new Coverage();
    own.add(played.coverage);
    for (const pair of own.contradictions())
      say(`seed ${String(played.seed)}: visited ${pair}, which is listed as unreachable`);
    if (played.broken !== null) {
      bad += 1;
      const { seed, broken } = played;
      keep({ seed, size: broken.size, moves: broken.moves, why: broken.why.slice(0, 300) });
      say(`seed ${String(seed)}: ${broken.why}`);
    }
    if (performance.now() - saidAt < MINUTE) return;
    saidAt = performance.now();
    say(summary(count, saidAt - startedAt, played.seed));
  });
  say(summary(count, performance.now() - startedAt, end - 1));
  say(
    `${String(runs)} attempts, seeds ${String(from)} to ${String(end - 1)}, ${String(bad)} broke a promise`,
  );
  printCoverage(coverage);
  const covered = isCovered(coverage, count);
  return bad === 0 && covered;
}

/** Whether the visited pairs are those that are not listed as unreachable. A short run need not visit all of them. */
function isCovered(coverage: Coverage, count: number): boolean {
  const contradictions = coverage.contradictions();
  const missing = coverage.missing();
  if (missing.length > 0 && count >= ENOUGH_HISTORIES)
    say(`not visited by ${String(count)} histories, and not listed as unreachable`);
  return contradictions.length === 0 && (missing.length === 0 || count < ENOUGH_HISTORIES);
}

function summary(count: number, ms: number, last: number): string {
  const perMinute = ((count * MINUTE) / ms).toFixed(0);
  return `${String(count)} histories, ${perMinute} a minute, last seed ${String(last)}`;
}

/** Prints how often each event met a task in each state. `·`: unreachable. */
function printCoverage(coverage: Coverage): void {
  const width = 11;
  say(`\n${''.padEnd(14)}${SHOWN_STATES.map((shown) => shown.padStart(width)).join('')}`);
  for (const event of EVENTS) {
    const cells = SHOWN_STATES.map((shown) => {
      const count = coverage.count(shown, event);
      return (count === 0 && whyUnreachable(shown, event) !== null ? '·' : String(count)).padStart(width);
    });
    say(`${event.padEnd(14)}${cells.join('')}`);
  }
  const missing = coverage.missing();
  say(
    `\n${String(missing.length)} pairs not visited${missing.length === 0 ? '' : `: ${missing.join(', ')}`}`,
  );
}

/** Shows for each planted bug how many seeds it took. Returns whether all were found. */
async function huntAll(from: number, mostMs: number): Promise<boolean> {
  let found = 0;
  const bugs = PLANTED_BUGS.filter(({ name }) => name.includes(values.bug ?? '')).filter(
    ({ unreachable }) => unreachable === undefined,
  );
  for (const bug of bugs) {
    const { found: result, seeds, seconds } = await hunt(bug, { from, mostSeeds: MOST_SEEDS, mostMs });
    if (result !== null) found += 1;
    const how = result === null ? 'NOT FOUND' : (result.violation?.promise ?? '');
    say(
      `${bug.name.padEnd(78)} ${String(seeds).padStart(6)} seeds ${seconds.toFixed(1).padStart(7)} s  ${how}`,
    );
  }
  say(`${String(found)} of ${String(bugs.length)} planted bugs found\n`);
  return found === bugs.length;
}

/** Prints what happens in one history. */
async function printTrace(seed: number): Promise<boolean> {
  const { trace, violation } = await playHistory(await Program.build<Exports>(), seed);
  say(trace.join('\n'));
  return violation === null;
}

async function main(): Promise<void> {
  const seed = Number(values.seed);
  if (values.trace) process.exitCode = (await printTrace(seed)) ? 0 : 1;
  else {
    const huntMs = Number(values['bug-minutes']) * MINUTE;
    const isHunted = values.bugs || values.bug !== undefined ? await huntAll(seed, huntMs) : true;
    const isKept = await playOn(seed, Number(values.minutes) * MINUTE);
    process.exitCode = isHunted && isKept ? 0 : 1;
  }
}

void main();
