import { openAiSessionErrors } from '@tallyport/contracts';
import type { SessionType } from './asked-session.ts';
import { readRealtimeEvent } from './client-event.ts';
import type { RealtimeDialect } from './dialect.ts';
import { readServerEvent } from './server-event.ts';

/** OpenAI's Realtime API. */
export const openAiRealtimeDialect = (type: SessionType): RealtimeDialect => ({
  ...openAiSessionErrors,
  readClient: (bytes) => readRealtimeEvent(bytes, type),
  readVendor: readServerEvent,
  // Without its id, only a response of the conversation is cancelled, and not one beside it.
  cancel: (id) => JSON.stringify({ type: 'response.cancel', response_id: id }),
});
