import { GatewayError, type ErrorCode, type FaultDomain } from '@switchyard/contracts';
import { maskKeys } from './mask-keys.ts';

/** A vendor's error, read but not yet judged. */
export interface VendorFault {
  providerId: string;
  /** The HTTP status, or the one the vendor's code stands for where the error came inside a good answer. */
  status: number;
  message: string;
  code?: string | undefined;
  /** What the vendor itself calls it, where `code` is our reading of it. */
  vendorCode?: string | undefined;
  param?: string | undefined;
  retryAfterMs?: number | undefined;
}

interface Verdict {
  code: ErrorCode;
  domain: FaultDomain;
  /** The status the client gets, where it is the vendor's. */
  status?: number;
}

/**
 * Whose fault it is: a refused key, missing money, a limit, a timeout and every 5xx are the provider's, a refused content is
 * policy, and a wrong request is the caller's. Only what the client can mend keeps the vendor's status.
 */
export function toGatewayFault(fault: VendorFault): GatewayError {
  const verdict = judge(fault);
  const message = maskKeys(fault.message).slice(0, LONGEST_MESSAGE);
  return new GatewayError(verdict.code, publicMessage(fault, verdict, message), {
    domain: verdict.domain,
    status: verdict.status,
    param: verdict.domain === 'provider' ? undefined : fault.param,
    retryAfterMs: verdict.domain === 'provider' ? fault.retryAfterMs : undefined,
    detail: `${fault.providerId} ${fault.status} ${maskKeys(fault.vendorCode ?? fault.code ?? '-')}: ${message}`,
  });
}

const LONGEST_MESSAGE = 1_000;

const policyCodes = new Set(['content_filter', 'content_policy_violation', 'moderation_blocked']);
const moneyCodes = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active']);
const keyCodes = new Set(['invalid_api_key', 'invalid_authentication_error', 'account_deactivated']);
const tooLong = /maximum context length|context[ _]length|context window|prompt is too long|too many tokens/i;

/** What a status means by itself; every other one is a fault of the provider. */
const verdicts: Readonly<Record<number, Verdict>> = {
  401: { code: 'upstream_auth', domain: 'provider' },
  402: { code: 'upstream_auth', domain: 'provider' },
  403: { code: 'upstream_auth', domain: 'provider' },
  408: { code: 'upstream_timeout', domain: 'provider' },
  413: { code: 'request_too_large', domain: 'caller', status: 413 },
  504: { code: 'upstream_timeout', domain: 'provider' },
};

function judge({ status, code = '', message }: VendorFault): Verdict {
  if (policyCodes.has(code))
    return { code: 'content_policy_violation', domain: 'policy', status: callerStatus(status) };
  if (moneyCodes.has(code) || keyCodes.has(code)) return { code: 'upstream_auth', domain: 'provider' };
  if (status === 400 || status === 422) return { code: callerCode(code, message), domain: 'caller', status };
  return verdicts[status] ?? { code: 'upstream_error', domain: 'provider' };
}

function callerCode(code: string, message: string): ErrorCode {
  if (code === 'context_length_exceeded' || tooLong.test(message)) return 'context_length_exceeded';
  return code === 'unsupported_parameter' ? 'unsupported_parameter' : 'invalid_parameters';
}

const callerStatus = (status: number): number => (status >= 400 && status < 500 ? status : 400);

function publicMessage(fault: VendorFault, verdict: Verdict, message: string): string {
  if (verdict.domain !== 'provider') return message;
  if (verdict.code === 'upstream_auth') return `${fault.providerId} refused our credentials or has no credit left.`;
  return `${fault.providerId} failed with status ${fault.status}: ${message}`;
}
