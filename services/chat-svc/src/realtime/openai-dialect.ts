import { openAiSessionErrors } from '@tallyport/contracts';
import { socketMessagesIn } from '@tallyport/wire';
import { askedSession, type SessionType } from './asked-session.ts';
import { binaryMessage } from './binary-message.ts';
import { readRealtimeEvent } from './client-event.ts';
import type { RealtimeDialect } from './dialect.ts';
import type { ReadOpening } from './opening.ts';
import { readServerEvent } from './server-event.ts';

/** The address says what the session is. */
export const readOpenAiOpening: ReadOpening = ({ head, body }, mostMessageBytes) => {
  const asked = askedSession(head);
  return {
    ...asked,
    call: { api: 'realtime', beta: head.headers['openai-beta'], transcribes: asked.type === 'transcription' },
    dialect: openAiDialect(asked.type),
    incoming: socketMessagesIn(body, mostMessageBytes),
  };
};

/** OpenAI's Realtime API. */
const openAiDialect = (type: SessionType): RealtimeDialect => ({
  ...openAiSessionErrors,
  readClient({ kind, bytes }) {
    if (kind === 'binary') throw binaryMessage();
    return readRealtimeEvent(bytes, type);
  },
  readVendor: readServerEvent,
  // Without its id, only a response of the conversation is cancelled, and not one beside it.
  cancel: (id) => JSON.stringify({ type: 'response.cancel', response_id: id }),
});
