import { type ErrorAttempt, errorTable, type ErrorCode, type FaultDomain, GatewayError } from '@switchyard/contracts';

interface WireError {
  code: ErrorCode;
  message: string;
  status: number;
  domain: FaultDomain;
  param?: string | undefined;
  retryAfterMs?: number | undefined;
  attempts?: readonly ErrorAttempt[] | undefined;
  detail?: string | undefined;
}

/** What of an error crosses the bus: the public part and our private detail, never a cause or a stack. */
export function encodeError({
  code,
  message,
  status,
  domain,
  param,
  retryAfterMs,
  attempts,
  detail,
}: GatewayError): Uint8Array {
  const error: WireError = { code, message, status, domain, param, retryAfterMs, attempts, detail };
  return Buffer.from(JSON.stringify(error));
}

export function decodeError(payload: Uint8Array): GatewayError {
  try {
    const error = JSON.parse(Buffer.from(payload).toString()) as WireError;
    const code = knownCode(error);
    if (typeof error.message === 'string' && code) return new GatewayError(code, error.message, error);
  } catch {
    // Falls through: whatever it was, it is no error of ours.
  }
  return new GatewayError('internal_error', 'A service answered with an error that cannot be read.');
}

/** A newer version may send a code we do not know: another one of its status says nearly the same. */
function knownCode({ code, status }: WireError): ErrorCode | undefined {
  if (Object.hasOwn(errorTable, code)) return code;
  return Object.keys(errorTable).find((known): known is ErrorCode => errorTable[known as ErrorCode].status === status);
}
