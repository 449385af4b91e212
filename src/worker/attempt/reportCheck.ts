import * as fs from 'node:fs/promises';
import type { Job, Verdict } from '../../domain/task/attempt';
import { describeCheck } from '../../platform/text/sentences';
import { PRIVATE_FILE } from '../../platform/files/files';
import { redact } from '../../platform/text/redact';
import { nameCheck } from './check';
import type { WorkerDeps } from '../workerDeps';

/** Shows the output of the row's own check, and appends it to the attempt's output as a line of JSON. */
export async function reportCheck(
  { events, describeError }: Pick<WorkerDeps, 'events' | 'describeError'>,
  { definition, outputFile }: Job,
  { check }: Verdict,
): Promise<void> {
  const command = definition.verify;
  if (check === undefined || command === undefined) return;
  const written = check.output === '' ? [] : check.output.split('\n');
  for (const line of [describeCheck(nameCheck(command), check), ...written]) {
    events.line(definition.id, line);
  }
  try {
    const line = redact(JSON.stringify({ type: 'check', command, ...check }));
    await fs.appendFile(outputFile, `${line}\n`, { mode: PRIVATE_FILE });
  } catch (error) {
    // The history has the result too.
    events.trouble(`The output of the check could not be written to ${outputFile}: ${describeError(error)}`);
  }
}
