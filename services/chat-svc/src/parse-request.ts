import { randomUUID } from 'node:crypto';
import { GatewayError } from '@tallyport/contracts';
import { type ChatRequest, parseChatRequest, parseJsonBody } from '@tallyport/wire';
import { inOpenAiFormat } from './openai-format.ts';

/** Parses and checks a request. Throws `invalid_parameters` with the member's path, and the errors of `parseBody`. */
export const parseRequest = (body: Uint8Array): ChatRequest => asChatRequest(parseBody(body));

export function asChatRequest(value: unknown): ChatRequest {
  const parsed = parseChatRequest(value);
  if (parsed.ok) return inOpenAiFormat(parsed.request);
  const { message, param } = parsed.problem;
  throw new GatewayError('invalid_parameters', message, param === null ? {} : { param });
}

/** Throws `invalid_json` with the reason, or `request_too_large` or `invalid_parameters` if a bound is exceeded. */
export function parseBody({ buffer, byteOffset, byteLength }: Uint8Array): unknown {
  const read = parseJsonBody([Buffer.from(buffer, byteOffset, byteLength)], randomUUID);
  if (read.ok) return read.value;
  throw new GatewayError(read.problem.code, read.problem.message);
}
