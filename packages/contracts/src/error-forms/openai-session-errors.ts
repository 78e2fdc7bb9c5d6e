import { errorBody, type GatewayError } from '../errors.ts';
import { randomHex } from '../random-hex.ts';
import type { SessionErrors } from './session-errors.ts';

/** Sessions of OpenAI's Realtime API report errors with an event. */
export const openAiSessionErrors: SessionErrors = { last: errorEvent, within: errorEvent, closeCode };

function errorEvent(error: GatewayError): string {
  const { message, type, code, param } = errorBody(error).error;
  const body = { type, code, message, param: param ?? null, event_id: null };
  return JSON.stringify({ type: 'error', event_id: `event_${randomHex()}`, error: body });
}

function closeCode({ code, status }: GatewayError): number {
  if (code === 'unavailable') return 1012;
  if (code === 'overloaded') return 1013;
  if (code === 'deadline_exceeded') return 1001;
  return status < 500 ? 1008 : 1011;
}
