import { Bench } from '../../conformance/bench';
import { FileSubject } from '../../conformance/fileSubject';

const open = new Set<FileSubject>();

afterEach('no queue outlives its test', async () => {
  for (const file of open) await file.close();
  open.clear();
});

/** A queue in a file that its owner has written like this, and the file. */
export async function openFile(text: string): Promise<{ bench: Bench; file: FileSubject }> {
  const bench = new Bench();
  const file = await FileSubject.open(bench.clock, bench.machine, text);
  open.add(file);
  await bench.open(() => Promise.resolve(file));
  return { bench, file };
}

export const HEADER =
  'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries';

/** A file of the eleven columns with these rows. */
export function eleven(...rows: readonly string[]): string {
  return [HEADER, ...rows, ''].join('\n');
}
