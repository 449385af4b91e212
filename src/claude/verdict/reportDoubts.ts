import type { AttemptFacts } from '../../domain/task/attempt';
import { COULD_NOT, NEEDS_ANSWER, NO_REPORT } from '../../domain/task/reviewReasons';
import { review, type Ended } from './doubt';
import type { Finding } from '../stream/endFacts';
import { splitAnswer, type SelfReport } from './selfReport';

/**
 * Finds a report that Claude could not finish or needs an answer. A report never turns anything into a success.
 */
export function findReported(ended: Ended): Finding | undefined {
  const report = readReport(ended);
  if (report?.end === 'needs_answer') return review(NEEDS_ANSWER, report.reason);
  return report?.end === 'could_not'
    ? review(COULD_NOT, `Claude could not finish: ${report.reason}`)
    : undefined;
}

const NO_REPORT_WORDS = 'Claude did not report how its work ended. Check whether it is complete.';

/** Finds a missing report where one was required. */
export function findMissingReport(ended: Ended): Finding | undefined {
  const isMissing = ended.facts.selfReport?.isRequired === true && readReport(ended) === null;
  return isMissing ? review(NO_REPORT, NO_REPORT_WORDS) : undefined;
}

/** Returns the report of a clean end as facts of the attempt; empty if no report is wanted. */
export function describeReport(ended: Ended): Pick<AttemptFacts, 'report' | 'reportReason'> {
  if (ended.facts.selfReport === undefined) return {};
  const report = readReport(ended);
  return report === null ? { report: 'none' } : { report: report.end, reportReason: report.reason };
}

/** Reads Claude's report. Only the last words of the last result count. */
function readReport({ result, facts: { selfReport } }: Ended): SelfReport | null {
  return selfReport === undefined ? null : splitAnswer(result.text, selfReport.token).report;
}
