import type { PassingKind } from '../../domain/gate/gate';
import { find, type Failure } from './failure';
import { isTransientText, readPassingKind } from './failureTexts';
import type { Finding } from '../stream/endFacts';

/**
 * Returns a problem that passes by itself, or null. It has a signal if it affects every attempt, and not only
 * this one.
 */
export function findTransient(failure: Failure): Finding | null {
  const reason = findReason(failure);
  if (reason === undefined) return null;
  const kind = findPassingKind(failure);
  if (kind === undefined) return find(failure, 'transient', reason);
  return find(failure, 'transient', reason, { kind, resetAt: null, message: failure.message });
}

const TRANSIENT_ERRORS: readonly string[] = ['rate_limit', 'overloaded', 'server_error'];

function findReason({ signal: { status, apiError, error }, text }: Failure): string | undefined {
  if (status !== undefined && (status === 408 || status === 429 || status >= 500)) return String(status);
  if (apiError === 'connection_failed') return apiError;
  if (error !== undefined && TRANSIENT_ERRORS.includes(error)) return error;
  return status === undefined && isTransientText(text) ? 'network' : undefined;
}

function findPassingKind({ signal, text }: Failure): PassingKind | undefined {
  const { status, error, apiErrorType } = signal;
  if (status === 429 || error === 'rate_limit') return 'throttle';
  if (status === 529 || error === 'overloaded' || apiErrorType === 'overloaded_error') return 'overload';
  // Only the text shows whether the service or the network made a connection fail, and why a service is
  // unavailable.
  const kind = readPassingKind(text);
  if (status === undefined) return kind;
  return status === 503 && kind === 'overload' ? kind : undefined;
}
