import type { GatewayError } from '@switchyard/contracts';
import { toGatewayFault } from '../faults/classify.ts';
import type { ErrorAnswer } from '../faults/error-answer.ts';
import { plainText } from '../faults/plain-text.ts';
import { retryAfterMs } from '../faults/retry-after.ts';
import { type ErrorKind, kindOf, meaningOf } from './error-kinds.ts';
import { isMembers, items, type Members, members, finiteNumber, text } from '../read.ts';
import type { OpenAiVendor } from './vendor.ts';

interface VendorAnswer extends Omit<ErrorAnswer, 'providerId'> {
  vendor: OpenAiVendor;
}

/** An answer with a bad status. The body may be anything: JSON of several shapes, HTML, nothing. */
export function openAiError({ status, headers, body, vendor }: VendorAnswer): GatewayError {
  return judged(toldIn(body), vendor, { status, retryAfterMs: retryAfterMs(headers) });
}

/** The error in a body or chunk that came with a good status, if there is one. */
export function faultIn(body: Members, vendor: OpenAiVendor): GatewayError | undefined {
  const error = body.error ?? body.fault ?? topLevelError(body) ?? vendor.quirks.hiddenError?.(body);
  return error === undefined || error === null || error === false || error === ''
    ? undefined
    : openAiFault(error === body.error ? body : error, vendor);
}

/** An error told outside of HTTP's status: its code has to say what it means. */
export function openAiFault(error: unknown, vendor: OpenAiVendor): GatewayError {
  const told = toldIn(error);
  return judged(told, vendor, { status: statusOf(told.code) ?? statusOf(told.type) ?? 500 });
}

/** What the vendor's own code says counts more than the status it came with. */
function judged(
  told: VendorError,
  vendor: OpenAiVendor,
  came: { status: number; retryAfterMs?: number | undefined },
): GatewayError {
  const kind = kindOf(vendor.quirks.errors, told.code, told.type) ?? kindByMessage(told.message);
  const { status, code } = kind === undefined ? { status: came.status, code: told.code } : meaningOf(kind);
  return toGatewayFault({ ...told, ...came, status, code, vendorCode: told.code, providerId: vendor.id });
}

/** Some say with 400 that our key is wrong, as if the client had sent it. */
const kindByMessage = (message: string): ErrorKind | undefined =>
  /\b(?:incorrect|invalid) api[ _-]?key\b/i.test(message) ? 'key' : undefined;

const topLevelError = (body: Members): Members | undefined => {
  if (body.object === 'error' || body.type === 'error') return body;
  const answers = body.choices !== undefined || body.usage !== undefined;
  return !answers && text(body.message) !== undefined && (body.code ?? body.type) !== undefined ? body : undefined;
};

interface VendorError {
  message: string;
  code: string | undefined;
  type: string | undefined;
  param: string | undefined;
}

/** Message and code out of every shape seen: `error` as object or text, members at top level, a framework's `detail`. */
function toldIn(body: unknown): VendorError {
  if (!isMembers(body)) return { message: plainText(body), code: undefined, type: undefined, param: undefined };
  const error = isMembers(body.error) ? body.error : body;
  const message = text(body.error) ?? messageOf(error) ?? text(members(body.fault).faultstring) ?? plainText(body);
  return {
    message,
    // Where both are there the code is a number that repeats the status.
    code: text(error.reason) ?? codeText(error.code) ?? codeText(body.code),
    type: text(error.type) ?? text(body.type),
    param: text(error.param),
  };
}

const messageOf = (error: Members): string | undefined =>
  text(error.message) ?? text(error.msg) ?? details(members(error.message).detail) ?? details(error.detail);

/** Validation errors as lists: the first is enough to mend the request. */
function details(value: unknown): string | undefined {
  const first = members(items(value)[0]);
  const place = items(first.loc).join('.');
  const message = text(first.msg);
  if (message === undefined) return text(value);
  return place === '' ? message : `${place}: ${message}`;
}

const codeText = (code: unknown): string | undefined => text(code) ?? finiteNumber(code)?.toString();

const statusByName: Readonly<Record<string, number>> = {
  authentication_error: 401,
  invalid_api_key: 401,
  permission_error: 403,
  model_not_found: 404,
  not_found_error: 404,
  context_length_exceeded: 400,
  content_filter: 400,
  content_policy_violation: 400,
  unsupported_parameter: 400,
  unsupported_value: 400,
  invalid_request_error: 400,
  BadRequestError: 400,
  insufficient_quota: 429,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
};

/** Codes are names, or statuses written as numbers. */
function statusOf(code: string | undefined): number | undefined {
  if (code === undefined) return undefined;
  if (/^[45]\d\d$/.test(code)) return Number(code);
  return Object.hasOwn(statusByName, code) ? statusByName[code] : undefined;
}
