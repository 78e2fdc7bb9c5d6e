import { PassThrough } from 'node:stream';
import type { Principal } from '@tallyport/contracts';
import { encodeSocketMessage, type SocketMessage, socketMessagesIn } from '@tallyport/wire';
import type { ChatBench } from './chat-bench.ts';

interface RealtimeEvent {
  type: string;
  [member: string]: unknown;
}

/** The client of a session, as edge sees it. */
interface RealtimeClient {
  send(event: object): void;
  sendMessage(message: SocketMessage): void;
  next(): Promise<RealtimeEvent | Extract<SocketMessage, { kind: 'close' }>>;
  /** The events up to the first one of this type. */
  until(type: string): Promise<RealtimeEvent[]>;
  /** The close frame; the events before it are dropped. */
  closed(): Promise<Extract<SocketMessage, { kind: 'close' }>>;
  /** Disconnects. */
  leave(): void;
}

interface RealtimeOptions {
  model?: string;
  query?: string;
  headers?: Record<string, string>;
  principal?: Principal;
  requestId?: string;
}

export async function connectRealtime(
  bench: Pick<ChatBench, 'openRealtime'>,
  { model = 'gpt-realtime', query = `model=${model}`, ...ask }: RealtimeOptions = {},
): Promise<RealtimeClient> {
  const outgoing = new PassThrough();
  const leaving = new AbortController();
  const { body } = await bench.openRealtime(outgoing, { ...ask, query, signal: leaving.signal, timeoutMs: 60_000 });
  const messages = socketMessagesIn(body, 16 * 1024 * 1024);
  const sendMessage = (message: SocketMessage): void => void outgoing.write(encodeSocketMessage(message));
  const client: RealtimeClient = {
    sendMessage,
    send: (event) => sendMessage({ kind: 'text', bytes: Buffer.from(JSON.stringify(event)) }),
    async next() {
      const { value, done } = await messages.next();
      if (done === true) throw new Error('The session has ended.');
      return value.kind === 'close' ? value : (JSON.parse(value.bytes.toString()) as RealtimeEvent);
    },
    async until(type) {
      const events: RealtimeEvent[] = [];
      for (;;) {
        const event = await client.next();
        if ('kind' in event && event.kind === 'close')
          throw new Error(`closed before ${type}: ${JSON.stringify(event)}`);
        events.push(event as RealtimeEvent);
        if ('type' in event && event.type === type) return events;
      }
    },
    async closed() {
      for (;;) {
        const event = await client.next();
        if ('kind' in event && event.kind === 'close') return event as Extract<SocketMessage, { kind: 'close' }>;
      }
    },
    leave: () => leaving.abort(),
  };
  return client;
}

/** What a client says. */
export const says = (text: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
});

export const asks = { type: 'response.create' };

export const transcribesWith = (model: string, type = 'realtime') => ({
  type: 'session.update',
  session: { type, audio: { input: { transcription: { model } } } },
});

/** So many milliseconds of PCM. */
export const audio = (ms: number, kind: 'sound' | 'silence' = 'sound') => ({
  type: 'input_audio_buffer.append',
  audio: Buffer.alloc(ms * 48, kind === 'sound' ? 1 : 0).toString('base64'),
});
