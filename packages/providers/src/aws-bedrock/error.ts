import type { GatewayError } from '@tallyport/contracts';
import { type Frame, frameText } from '@tallyport/wire';
import { toGatewayFault } from '../faults/classify.ts';
import type { ErrorAnswer } from '../faults/error-answer.ts';
import { plainText } from '../faults/plain-text.ts';
import { retryAfterMs } from '../faults/retry-after.ts';
import { type Members, members, finiteNumber, text } from '../read.ts';

/**
 * Translates a response with an error status. The exception type is in a header, or in the body under one of two names.
 */
export function bedrockError({ providerId, status, headers, body }: ErrorAnswer): GatewayError {
  const fields = members(body);
  const type = typeName(headers['x-amzn-errortype'] ?? fields.__type ?? fields.code);
  const message = messageOf(body);
  return toGatewayFault({
    providerId,
    message,
    ...meaningOf({ type, message, status }),
    ownStatus: status,
    retryAfterMs: retryAfterMs(headers),
  });
}

/** The error in an exception frame; `undefined` for event frames. */
export function bedrockFrameFault(frame: Frame, providerId: string): GatewayError | undefined {
  const [, kind, name] = /^(exception|error):(.*)$/s.exec(frame.event ?? '') ?? [];
  if (kind === undefined || name === undefined) return undefined;
  const body = payloadOf(frame);
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const message = messageOf(body);
  const status = statusOf(type) ?? finiteNumber(body.originalStatusCode) ?? 500;
  return toGatewayFault({ providerId, message, ...meaningOf({ type, message, status }) });
}

const statuses: Readonly<Record<string, number>> = {
  ValidationException: 400,
  AccessDeniedException: 403,
  UnrecognizedClientException: 403,
  InvalidSignatureException: 403,
  ExpiredTokenException: 403,
  ResourceNotFoundException: 404,
  ModelTimeoutException: 408,
  ModelErrorException: 424,
  ModelStreamErrorException: 424,
  ThrottlingException: 429,
  ServiceQuotaExceededException: 429,
  ModelNotReadyException: 429,
  InternalServerException: 500,
  ServiceUnavailableException: 503,
};

const statusOf = (type: string): number | undefined => (Object.hasOwn(statuses, type) ? statuses[type] : undefined);

/** `ValidationException:http://…` in headers, `com.amazon…#ValidationException` in bodies. */
function typeName(value: unknown): string {
  const name = text(Array.isArray(value) ? value[0] : value) ?? '';
  return name.split(':', 1)[0]?.split('#').at(-1) ?? '';
}

interface VendorError {
  type: string;
  message: string;
  status: number;
}

/** The reason for a refused request is only in its message. The first pattern that matches applies. */
const refusals: readonly { words: RegExp; status: number; code: string }[] = [
  // The request does not fit how the model is offered here, which is not the client's fault.
  { words: /on-demand throughput isn.t supported|model identifier is invalid/i, status: 404, code: 'model_mapping' },
  { words: /too long|too many (input )?tokens|context (length|window)/i, status: 400, code: 'context_length_exceeded' },
  { words: /content filter|blocked by .*polic/i, status: 400, code: 'content_filter' },
];

function meaningOf({ type, message, status }: VendorError): { status: number; code?: string } {
  const refusal = status === 400 ? refusals.find(({ words }) => words.test(message)) : undefined;
  if (refusal !== undefined) return { status: refusal.status, code: refusal.code };
  return { status, ...(type !== '' && { code: type }) };
}

function messageOf(body: unknown): string {
  const { message, Message, originalMessage } = members(body);
  return text(message) ?? text(Message) ?? text(originalMessage) ?? plainText(body);
}

/** An exception frame may have no payload. */
function payloadOf(frame: Frame): Members {
  try {
    return members(JSON.parse(frameText(frame)));
  } catch {
    return { message: frameText(frame) };
  }
}
