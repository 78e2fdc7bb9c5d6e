import { isUtf8 } from 'node:buffer';
import { GatewayError } from '@switchyard/contracts';
import { invalidJson } from '@switchyard/serving';
import { type ChatRequest, parseChatRequest } from '@switchyard/wire';

/** Bytes to a valid request, parsed once. Throws `invalid_json` or `invalid_parameters` with the member's path. */
export const parseRequest = (body: Uint8Array): ChatRequest => asChatRequest(parseBody(body));

export function asChatRequest(value: unknown): ChatRequest {
  const parsed = parseChatRequest(value);
  if (parsed.ok) return parsed.request;
  const { message, param } = parsed.problem;
  throw new GatewayError('invalid_parameters', message, param === null ? {} : { param });
}

/** Throws `invalid_json`, saying what is wrong with it. */
export function parseBody(body: Uint8Array): unknown {
  if (!isUtf8(body)) throw invalidJson('its bytes are not UTF-8');
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidJson(
      text.trim() === '' ? 'it is empty' : cause instanceof Error ? cause.message : 'unreadable',
      cause,
    );
  }
}
