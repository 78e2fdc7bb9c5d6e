import { GatewayError, type ErrorCode, type FaultDomain, type ProviderFault } from '@tallyport/contracts';
import { maskKeys } from './mask-keys.ts';
import { maskOwners } from './mask-owners.ts';

/** A vendor's error, read but not yet classified. */
export interface VendorFault {
  providerId: string;
  /** The meaning of the error as an HTTP status. */
  status: number;
  /** The vendor's HTTP status; `undefined` if the error was inside a successful response. */
  ownStatus?: number | undefined;
  message: string;
  code?: string | undefined;
  /** The vendor's own code, if `code` is our interpretation of it. */
  vendorCode?: string | undefined;
  param?: string | undefined;
  retryAfterMs?: number | undefined;
  /** Further members of the error that help the client. */
  details?: Readonly<Record<string, string>> | undefined;
}

interface Verdict {
  code: ErrorCode;
  domain: FaultDomain;
  /** The status for the client, if it is the vendor's. */
  status?: number;
}

/**
 * Assigns an error to a fault domain. Refused keys, missing credit, limits, timeouts and every 5xx are faults of the
 * provider, refused content is policy, and invalid requests are the caller's. Only errors the client can fix keep the
 * vendor's status.
 */
export function toGatewayFault(fault: VendorFault): GatewayError {
  const verdict = judge(fault);
  const message = masked(fault.message, LONGEST_MESSAGE);
  return new GatewayError(verdict.code, publicMessage(fault, verdict, message), {
    domain: verdict.domain,
    status: verdict.status,
    param: verdict.domain === 'provider' ? undefined : fault.param,
    // Waiting brings neither a key nor money.
    retryAfterMs: verdict.domain === 'provider' && verdict.code !== 'upstream_auth' ? fault.retryAfterMs : undefined,
    ...(verdict.code !== 'upstream_auth' && { provider: ownWords(fault) }),
    detail: `${fault.providerId} ${fault.ownStatus ?? fault.status} ${masked(fault.vendorCode ?? fault.code ?? '-', LONGEST_CODE)}: ${message}`,
  });
}

const LONGEST_MESSAGE = 1_000;
const LONGEST_CODE = 100;
const LONGEST_DETAIL = 4_000;

/** Without keys and without ids of the operator's accounts. Cut before as well, because the text may be of any length. */
const masked = (text: string, longest: number): string =>
  maskOwners(maskKeys(text.slice(0, 2 * longest))).slice(0, longest);

function ownWords({ providerId, ownStatus, vendorCode, code, details }: VendorFault): ProviderFault {
  const named = vendorCode ?? code;
  const shown = Object.entries(details ?? {}).map(([name, text]) => [name, masked(text, LONGEST_DETAIL)]);
  return {
    id: providerId,
    status: ownStatus ?? null,
    ...(named && { code: masked(named, LONGEST_CODE) }),
    ...(shown.length > 0 && { details: Object.fromEntries(shown) }),
  };
}

const policyCodes = new Set(['content_filter', 'content_policy_violation', 'moderation_blocked']);
const moneyCodes = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active']);
const keyCodes = new Set(['invalid_api_key', 'invalid_authentication_error', 'account_deactivated']);
const tooLong = /maximum context length|context[ _]length|context window|prompt is too long|too many tokens/i;

/** The meaning of a status by itself. Every other status is a fault of the provider. */
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
  return `${fault.providerId} failed with status ${fault.ownStatus ?? fault.status}: ${message}`;
}
