import type { GatewayError } from '@tallyport/contracts';
import { toGatewayFault, type VendorFault } from '../faults/classify.ts';
import type { ErrorAnswer } from '../faults/error-answer.ts';
import { plainText } from '../faults/plain-text.ts';
import { retryAfterMs } from '../faults/retry-after.ts';
import { type ErrorKind, type ErrorKinds, kindOf, meaningOf } from './error-kinds.ts';
import { isMembers, items, type Members, members, finiteNumber, text } from '../read.ts';
import type { OpenAiVendor } from './vendor.ts';

interface VendorAnswer extends Omit<ErrorAnswer, 'providerId'> {
  vendor: OpenAiVendor;
}

/** Translates a response with an error status. The body may be JSON of several shapes, HTML or empty. */
export function openAiError({ status, headers, body, vendor }: VendorAnswer): GatewayError {
  return classified(readError(body), vendor, { status, ownStatus: status, retryAfterMs: retryAfterMs(headers) });
}

/** The error in a body or chunk that has status 200, if there is one. */
export function faultIn(body: Members, vendor: OpenAiVendor): GatewayError | undefined {
  const error = body.error ?? body.fault ?? topLevelError(body) ?? vendor.quirks.hiddenError?.(body);
  return error === undefined || error === null || error === false || error === ''
    ? undefined
    : openAiFault(error === body.error ? body : error, vendor);
}

/** Translates an error without an HTTP status of its own: its code says what it means. */
export function openAiFault(error: unknown, vendor: OpenAiVendor): GatewayError {
  const vendorError = readError(error);
  return classified(vendorError, vendor, { status: statusOf(vendorError.code) ?? statusOf(vendorError.type) ?? 500 });
}

/** The vendor's code takes precedence over the status. */
function classified(
  vendorError: VendorError,
  vendor: OpenAiVendor,
  came: Pick<VendorFault, 'status' | 'ownStatus' | 'retryAfterMs'>,
): GatewayError {
  const { code: vendorCode, type, message } = vendorError;
  const kind =
    kindOf(vendor.quirks.errors, vendorCode, type) ?? kindOf(everywhere, vendorCode, type) ?? kindByMessage(message);
  const { status, code } = kind === undefined ? { status: came.status, code: vendorCode } : meaningOf(kind);
  return toGatewayFault({ ...vendorError, ...came, status, code, vendorCode, providerId: vendor.id });
}

/** OpenAI's own code, which comes with the status of a rate limit, and others send as the type. */
const everywhere: ErrorKinds = { insufficient_quota: 'money' };

/** Some vendors report an invalid key with status 400, as if the client had sent it. */
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
  details?: Readonly<Record<string, string>>;
}

/**
 * Reads the message and code from every shape seen: `error` as object or text, top-level members, a framework's
 * `detail`.
 */
function readError(body: unknown): VendorError {
  if (!isMembers(body)) return { message: plainText(body), code: undefined, type: undefined, param: undefined };
  const error = isMembers(body.error) ? body.error : body;
  const message = text(body.error) ?? messageOf(error) ?? text(members(body.fault).faultstring) ?? plainText(body);
  return {
    message,
    // If both are present, `code` is a number that repeats the status.
    code: text(error.reason) ?? codeText(error.code) ?? codeText(body.code),
    type: text(error.type) ?? text(body.type),
    param: text(error.param),
    details: detailsOf(error),
  };
}

/** What the model produced in place of a call, and the error of a provider behind this one. */
function detailsOf(error: Members): Readonly<Record<string, string>> {
  const { raw, provider_name } = members(error.metadata);
  const known = {
    failed_generation: text(error.failed_generation),
    provider_name: text(provider_name),
    raw: text(raw),
  };
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, said]) => (said === undefined ? [] : [[name, said]])),
  );
}

const messageOf = (error: Members): string | undefined =>
  text(error.message) ?? text(error.msg) ?? details(members(error.message).detail) ?? details(error.detail);

/** Validation errors are lists; the first one is enough to fix the request. */
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
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
};

/** Codes are names, or statuses written as numbers. */
function statusOf(code: string | undefined): number | undefined {
  if (code === undefined) return undefined;
  if (/^[45]\d\d$/.test(code)) return Number(code);
  return Object.hasOwn(statusByName, code) ? statusByName[code] : undefined;
}
