import { errorBody, type GatewayError } from '../errors.ts';
import { randomHex } from '../random-hex.ts';

/** The event with which a realtime session reports an error. */
export function realtimeErrorEvent(error: GatewayError): string {
  const { message, type, code, param } = errorBody(error).error;
  const body = { type, code, message, param: param ?? null, event_id: null };
  return JSON.stringify({ type: 'error', event_id: `event_${randomHex()}`, error: body });
}

/** The code of the close frame behind it. */
export function realtimeCloseCode({ code, status }: GatewayError): number {
  if (code === 'unavailable') return 1012;
  if (code === 'overloaded') return 1013;
  if (code === 'deadline_exceeded') return 1001;
  return status < 500 ? 1008 : 1011;
}
