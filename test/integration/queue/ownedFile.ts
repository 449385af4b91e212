import { Harness } from '../../conformance/harness';
import { FileSystemUnderTest } from '../../conformance/fileSystemUnderTest';

const open = new Set<FileSystemUnderTest>();

afterEach('no queue outlives its test', async () => {
  for (const file of open) await file.close();
  open.clear();
});

/** A queue in a file that its owner has written like this, and the file. */
export async function openFile(text: string): Promise<{ harness: Harness; file: FileSystemUnderTest }> {
  const harness = new Harness();
  const file = await FileSystemUnderTest.open(harness.clock, harness.machine, text);
  open.add(file);
  await harness.open(() => Promise.resolve(file));
  return { harness, file };
}

export const HEADER =
  'id,priority,working_dir,prompt,status,scheduled_time,dependencies,repeat,repeat_interval,retry_count,max_retries';

/** A file of the eleven columns with these rows. */
export function eleven(...rows: readonly string[]): string {
  return [HEADER, ...rows, ''].join('\n');
}
