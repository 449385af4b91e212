import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import type { Job, Verdict } from '../../domain/task/attempt';
import { describeBefore, describeCheck } from '../../platform/text/sentences';
import { APPENDED, PRIVATE_FILE } from '../../platform/files/files';
import { redact } from '../../platform/text/redact';
import { nameCheck } from './runCheck';
import type { WorkerDeps } from '../workerDeps';

type ReportDeps = Pick<WorkerDeps, 'events' | 'describeError'>;

/** Shows the output of the row's own check, and appends it to the attempt's output as a line of JSON. */
export async function reportCheck(deps: ReportDeps, job: Job, { check }: Verdict): Promise<void> {
  const command = job.definition.verify;
  if (check === undefined || command === undefined) return;
  await report(deps, job, [describeCheck(nameCheck(command), check), check.output], {
    ...{ type: 'check', command },
    ...check,
  });
}

/** Does the same with what the check said about the files before the attempt. */
export async function reportBefore(deps: ReportDeps, job: Job, { check }: Verdict): Promise<void> {
  if (check?.before === undefined) return;
  const { before } = check;
  await report(deps, job, [describeBefore(before), before.output], { type: 'check-before', ...before });
}

async function report(
  { events, describeError }: ReportDeps,
  { definition, outputFile }: Job,
  texts: readonly string[],
  message: object,
): Promise<void> {
  for (const text of texts)
    for (const line of text === '' ? [] : text.split('\n')) events.line(definition.id, line);
  try {
    const line = `${redact(JSON.stringify(message))}\n`;
    await fs.writeFile(outputFile, line, { flag: APPENDED | constants.O_CREAT, mode: PRIVATE_FILE });
  } catch (error) {
    // The history has the result too.
    events.trouble(`The output of the check could not be written to ${outputFile}: ${describeError(error)}`);
  }
}
