import type { BlockKind } from '../domain/limits';
import type { Finding } from './runFacts';
import { find } from './failure';
import type { Failure } from './failure';
import { readBlockKind } from './limitTexts';
import type { ApiFailure, ResultMessage } from './message';
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

/** What keeps the whole account from working until a person acts, or null. */
export function findBlock(failure: Failure): Finding | null {
  const { text, signal, result } = failure;
  const kind = findBlockKind(signal, result) ?? readBlockKind(text);
  if (kind === undefined) return null;
  const regain = parseRegain(text);
  return find(failure, 'blocked', kind, { kind, resetAt: regain, message: failure.message });
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
