import type { GatewayError } from '@tallyport/contracts';
import { toGatewayFault } from '../faults/classify.ts';
import type { ErrorAnswer } from '../faults/error-answer.ts';
import { plainText } from '../faults/plain-text.ts';
import { retryAfterMs } from '../faults/retry-after.ts';
import { isMembers, items, type Members, members, finiteNumber, text } from '../read.ts';

/** Translates a response with an error status. */
export function geminiError({ providerId, status, headers, body }: ErrorAnswer): GatewayError {
  const error = errorIn(body);
  const retryAfter = retryAfterMs(headers) ?? retryDelayMs(error);
  return toGatewayFault({ ...readError(error, body, status), providerId, ownStatus: status, retryAfterMs: retryAfter });
}

/** The error in a body or event that has status 200, if there is one. */
export function geminiFault(body: Members, providerId: string): GatewayError | undefined {
  if (!isMembers(body.error)) return undefined;
  const status = finiteNumber(body.error.code) ?? 500;
  return toGatewayFault({
    ...readError(body.error, body, status),
    providerId,
    retryAfterMs: retryDelayMs(body.error),
  });
}

/** The error member; some errors are in a list of one. */
const errorIn = (body: unknown): Members => members(members(Array.isArray(body) ? body[0] : body).error);

const detailsOf = (error: Members): Members[] => items(error.details).map(members);

/** `{retryDelay: "34.4s"}` among the details. */
function retryDelayMs(error: Members): number | undefined {
  const delay = detailsOf(error).map(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(text(retryDelay) ?? '')?.[1]);
  const seconds = delay.find((found) => found !== undefined);
  return seconds === undefined ? undefined : Math.min(Math.ceil(Number(seconds) * 1_000), LONGEST_MS);
}

const LONGEST_MS = 24 * 3_600_000;

function readError(error: Members, body: unknown, status: number): { message: string; code: string; status: number } {
  const message = text(error.message) ?? plainText(body);
  const reason = detailsOf(error)
    .map((detail) => text(detail.reason))
    .find((found) => found !== undefined);
  const code = isTooLong.test(message) ? 'context_length_exceeded' : (reason ?? text(error.status) ?? '');
  return { message, code, status: statusBeyond(code, message) ?? status };
}

const isTooLong = /token count .{0,200}exceeds the maximum|exceeds the maximum number of tokens/i;

/** The vendor reports bad keys, regions and billing with status 400, as if the request were invalid. */
function statusBeyond(code: string, message: string): number | undefined {
  if (code === 'API_KEY_INVALID' || /API key (not valid|expired)/i.test(message)) return 401;
  return code === 'FAILED_PRECONDITION' ? 403 : undefined;
}
