import {
  type ErrorAttempt,
  errorTable,
  type ErrorCode,
  type FaultDomain,
  GatewayError,
  isErrorCode,
  type ProviderFault,
  type UntriedOffers,
} from '@tallyport/contracts';

interface WireError {
  code: ErrorCode;
  message: string;
  status: number;
  domain: FaultDomain;
  param?: string | undefined;
  retryAfterMs?: number | undefined;
  attempts?: readonly ErrorAttempt[] | undefined;
  untried?: UntriedOffers | undefined;
  provider?: ProviderFault | undefined;
  detail?: string | undefined;
}

/** Encodes an error for the bus: its public part and our private detail, never its cause or stack. */
export function encodeError({
  code,
  message,
  status,
  domain,
  param,
  retryAfterMs,
  attempts,
  untried,
  provider,
  detail,
}: GatewayError): Uint8Array {
  const error: WireError = { code, message, status, domain, param, retryAfterMs, attempts, untried, provider, detail };
  return Buffer.from(JSON.stringify(error));
}

export function decodeError(payload: Uint8Array): GatewayError {
  try {
    const error = JSON.parse(Buffer.from(payload).toString()) as WireError;
    const code = knownCode(error);
    if (typeof error.message === 'string' && code) return new GatewayError(code, error.message, error);
  } catch {
    // Not one of our errors: use the general one below.
  }
  return new GatewayError('internal_error', 'A service returned an error that cannot be read.');
}

/** A newer version may send an unknown code: a known code with the same status is the closest substitute. */
function knownCode({ code, status }: WireError): ErrorCode | undefined {
  if (isErrorCode(code)) return code;
  return Object.keys(errorTable).find((known): known is ErrorCode => errorTable[known as ErrorCode].status === status);
}
