import { randomUUID } from 'node:crypto';
import { GatewayError, type RequestHead } from '@tallyport/contracts';
import {
  type ChatRequest,
  parseChatRequest,
  parseExactJson,
  parseJsonBody,
  withAddressedModel,
  withRoundedNumbers,
} from '@tallyport/wire';
import { isOpenRouterClient } from './answer/reasoning-view.ts';
import { inOpenAiFormat } from './openai-format.ts';
import { type AskedRouting, askedRouting } from '@tallyport/serving';

/** Parses and checks a request. Throws `invalid_parameters` with the member's path, and the errors of `parseBody`. */
export function parseRequest(bytes: Uint8Array, head: RequestHead) {
  const { body, standIns, preferences } = routedBodyOf(bytes, head);
  return { request: withUsageFor(head, asChatRequest(body)), standIns, preferences };
}

/** A body without what it says about routing. Throws like `parseBodyOf` and `askedRouting`. */
export function routedBodyOf(bytes: Uint8Array, head: RequestHead): AskedRouting {
  const body = parseBodyOf(bytes, head);
  const hasSchemas =
    typeof body === 'object' && body !== null && ('tools' in body || 'functions' in body || 'response_format' in body);
  return askedRouting(hasSchemas && longNumber.test(latin1(bytes)) ? withExactSchemas(bytes, head) : body, head);
}

const withExactSchemas = (bytes: Uint8Array, head: RequestHead): unknown =>
  withRoundedNumbers(parseExactBodyOf(bytes, head), schemas);

/** Only so long a number can lose digits. */
const longNumber = /[\d.]{16}/;

const latin1 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1');

/** Members with a JSON schema: its bounds and values keep their digits. */
const schemas: ReadonlySet<string> = new Set(['parameters', 'schema']);

type AddressOfRequest = Pick<RequestHead, 'model'>;

/** OpenRouter sends the usage of every stream, and its clients do not ask for it. */
function withUsageFor(head: RequestHead, request: ChatRequest): ChatRequest {
  if (request.stream !== true || request.stream_options?.include_usage != null || !isOpenRouterClient(head))
    return request;
  return { ...request, stream_options: { ...request.stream_options, include_usage: true } };
}

export function asChatRequest(value: unknown): ChatRequest {
  const parsed = parseChatRequest(value);
  if (parsed.ok) return inOpenAiFormat(parsed.request);
  const { message, param } = parsed.problem;
  throw new GatewayError('invalid_parameters', message, param === null ? {} : { param });
}

/** Like `parseBody`, with the model of the address if it names one. */
export const parseBodyOf = (body: Uint8Array, { model }: AddressOfRequest): unknown =>
  withAddressedModel(parseBody(body), model);

/** Throws `invalid_json` with the reason, or `request_too_large` or `invalid_parameters` if a bound is exceeded. */
export const parseBody = (body: Uint8Array): unknown => parsed(body, JSON.parse);

/** Like `parseBodyOf`, with the digits of all numbers, for APIs that have the arguments of tools as JSON. */
export const parseExactBodyOf = (body: Uint8Array, { model }: AddressOfRequest): unknown =>
  withAddressedModel(parsed(body, parseExactJson), model);

function parsed({ buffer, byteOffset, byteLength }: Uint8Array, parse: (text: string) => unknown): unknown {
  const read = parseJsonBody([Buffer.from(buffer, byteOffset, byteLength)], randomUUID, parse);
  if (read.ok) return read.value;
  throw new GatewayError(read.problem.code, read.problem.message);
}
