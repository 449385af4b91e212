import type { Callback, CallbackFailure } from '../../../domain/queue/callbacks';
import type { CallbackNotice } from '../../../domain/queue/notices';
import type { Status } from '../../../domain/task/task';
import { formatUsd } from '../../../domain/usd';
import { parseJson } from '../../../platform/text/shapes';
import { t } from '../../../platform/text/translate';
import { describeMessage } from '../reasons/endNote';

/** Text about a callback. */
export interface CallbackText {
  readonly title: string;
  readonly message: string;
}

/** Describes a callback that is not sent any more. */
export function describeFailedCallback({ id, target, host, failure }: CallbackNotice): CallbackText {
  const title =
    host === ''
      ? t('The callback of task {0} was not delivered', id)
      : t('The callback of task {0} to {1} was not delivered', id, host);
  const place = target === 'row' ? 'callback_url' : 'callbackUrl';
  return { title, message: t('{0} Check {1}.', describeCallbackFailure(failure), place) };
}

/** Describes why a callback failed, in a sentence. */
export function describeCallbackFailure(failure: CallbackFailure): string {
  switch (failure.kind) {
    case 'status':
      return t('The server answered with status {0}.', failure.status);
    case 'redirect':
      return t('The server redirects (status {0}), which is not followed.', failure.status);
    case 'timeout':
      return t('The server did not answer within 10 s.');
    case 'connection':
      return t('The connection failed ({0}).', failure.code);
    case 'private':
      return t('{0} is a private address that callbackAllow does not have.', failure.address);
    case 'not-encrypted':
      return t('http: is allowed only to addresses in callbackAllow. Use https:.');
    case 'no-address':
      return t('Its address is not valid.');
    case 'too-many':
      return t('More than 1000 callbacks were waiting.');
  }
}

const ENDS: Partial<Record<Status, (id: number) => string>> = {
  completed: (id) => t('Task {0} completed', id),
  failed: (id) => t('Task {0} failed', id),
  review: (id) => t('Task {0} needs review', id),
  cancelled: (id) => t('Task {0} was cancelled', id),
};

/** Describes the end of an attempt to a user. */
export function describeCallback({ attempt, status }: Callback): CallbackText {
  const { id, costUsd = 0 } = attempt;
  const title = (ENDS[status] ?? ((one: number) => t('Task {0} will be tried again', one)))(id);
  const said = describeMessage(attempt);
  return { title, message: costUsd > 0 ? `${said} (${formatUsd(costUsd)})` : said };
}

/**
 * JSON of a callback: the contract for its receivers. Fields are added; none is removed or changes its meaning.
 * `result` is Claude's last answer; null: it is not on this machine.
 */
export function callbackAsJson(
  { status, metadata, requestId, ...rest }: Callback,
  result: string | null,
): object {
  const { attempt, attemptId } = rest;
  const isFine = status === 'completed';
  return {
    status,
    taskId: attempt.id,
    attemptId,
    attempt: attempt.number,
    requestId: requestId ?? null,
    metadata: metadata === undefined ? null : readMetadata(metadata),
    outcome: attempt.outcome,
    reason: attempt.reason,
    result,
    error: isFine ? null : { code: attempt.reason, message: describeMessage(attempt) },
    startedAt: new Date(attempt.startedAt).toISOString(),
    endedAt: new Date(attempt.endedAt).toISOString(),
    costUsd: attempt.costUsd ?? null,
  };
}

/** Returns the value that a cell has as JSON; its text if it is not JSON. */
function readMetadata(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
