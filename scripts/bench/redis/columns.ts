import { median, round, type BenchRow } from '../files/measuring';

/** One measurement that fills a line of the table for each value. */
export interface Column {
  readonly size?: number;
  readonly lines: readonly Line[];
  /** Returns a value for each line. */
  readonly own: () => Promise<readonly number[]>;
  readonly peer: Peer;
}

/** Another queue, measured in turns with the product. */
export interface Peer {
  readonly name: string;
  /** Null: it is not installed. */
  readonly measure: (() => Promise<readonly number[]>) | null;
}

/** One line: what its figure means. */
export interface Line {
  readonly what: string;
  readonly unit: string;
  readonly goal?: string;
}

const ROUNDS = 5;

/** Measures both sides in turns: one round to warm up, and five that count. */
export async function measureColumn({ size, lines, own, peer }: Column): Promise<BenchRow[]> {
  const owns: (readonly number[])[] = [];
  const peers: (readonly number[])[] = [];
  for (let turn = 0; turn <= ROUNDS; turn++) {
    const both = [await own(), (await peer.measure?.()) ?? []] as const;
    if (turn === 0) continue;
    owns.push(both[0]);
    peers.push(both[1]);
  }
  const sized = size === undefined ? {} : { size };
  return lines.flatMap((line, index) => {
    const row = { ...sized, unit: line.unit, ...summarize(owns, index) };
    const goal = line.goal === undefined ? {} : { goal: line.goal };
    if (peer.measure === null)
      return [
        { ...row, what: line.what, ...goal },
        { ...sized, what: `${line.what}: ${peer.name}`, unit: line.unit, note: 'not installed' },
      ];
    const beside = { ...sized, unit: line.unit, ...summarize(peers, index) };
    const ratio = beside.median > 0 ? { ratio: round(row.median / beside.median), against: peer.name } : {};
    return [
      { ...row, what: line.what, ...ratio, ...goal },
      { ...beside, what: `${line.what}: ${peer.name}` },
    ];
  });
}

function summarize(rounds: readonly (readonly number[])[], index: number): { median: number; least: number } {
  const values = rounds.map((round) => round[index] ?? NaN);
  return { median: round(median(values)), least: round(Math.min(...values)) };
}
