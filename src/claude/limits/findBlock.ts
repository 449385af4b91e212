import type { BlockKind } from '../../domain/gate/gate';
import type { Finding } from '../stream/endFacts';
import { find, type Failure } from '../verdict/failure';
import { isTransientText } from '../verdict/failureTexts';
import { findRejection, isSwitchedOff } from './findLimit';
import { readBlockKind } from './limitTexts';
import type { ApiFailure, ResultMessage } from '../stream/message';
import { parseRegain } from './resetTime';

const SIGN_IN_ERRORS: readonly (string | undefined)[] = [
  'authentication_failed',
  'oauth_org_not_allowed',
  'account_on_hold',
  'verification_required',
  'cloud_credential_error',
];

const SIGN_IN_STARTS: readonly (string | undefined)[] = [
  'org_pin_api_key_conflict',
  'org_pin_mismatch',
  'gateway_signin_required',
  'gateway_access_denied',
  'org_config_refused',
];

/** Returns what keeps the whole account from working until the user acts, or null. */
export function findBlock(failure: Failure): Finding | null {
  const { text, signal, result, facts } = failure;
  const kind = findBlockKind(signal, result) ?? findRefusedSpending(failure) ?? findStated(failure);
  if (kind === undefined) return null;
  const resetAt = parseRegain(text, facts.now);
  return find(failure, 'blocked', kind, { kind, resetAt, message: failure.message });
}

function findRefusedSpending(failure: Failure): BlockKind | undefined {
  const info = findRejection(failure);
  return info !== undefined && isSwitchedOff(info) && failure.signal.status === 429
    ? 'spend-limit'
    : undefined;
}

/** Errors that do not name the cause. */
const VAGUE_ERRORS: readonly (string | undefined)[] = ['unknown', 'invalid_request', 'rate_limit', undefined];

/** Finds a block in the failure's text, if no field says that it is something else. */
function findStated({ text, signal: { status, error } }: Failure): BlockKind | undefined {
  if (!VAGUE_ERRORS.includes(error)) return undefined;
  if (status !== undefined && status !== 400 && status !== 429) return undefined;
  if (status === undefined && isTransientText(text)) return undefined;
  const kind = readBlockKind(text);
  return status === 429 && kind !== 'spend-limit' ? undefined : kind;
}

function findBlockKind(signal: ApiFailure, result: ResultMessage | undefined): BlockKind | undefined {
  if (signal.error === 'billing_error' || signal.apiErrorType === 'billing_error') return 'billing';
  if (signal.status === 402) return 'billing';
  if (SIGN_IN_ERRORS.includes(signal.error)) return 'sign-in';
  if (signal.status === 401 || signal.status === 403) return 'sign-in';
  return result?.startupFailure !== undefined && SIGN_IN_STARTS.includes(result.startupFailure)
    ? 'sign-in'
    : undefined;
}
