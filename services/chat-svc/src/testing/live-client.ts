import { PassThrough } from 'node:stream';
import type { Principal } from '@tallyport/contracts';
import { encodeSocketMessage, type SocketMessage, socketMessagesIn } from '@tallyport/wire';
import type { ChatBench } from './chat-bench.ts';

type LiveMessage = Record<string, Record<string, unknown>>;
type Close = Extract<SocketMessage, { kind: 'close' }>;

/** The client of a session of Google's Live API, as edge sees it. */
interface LiveClient {
  send(message: object): void;
  sendBytes(bytes: Buffer, kind?: 'text' | 'binary'): void;
  /** The messages up to the first one that has this member, or this member of `serverContent`. */
  until(name: string): Promise<LiveMessage[]>;
  /** The close frame; the messages before it are dropped. */
  closed(): Promise<Close>;
  /** The frames of what has been read. */
  readonly kinds: ReadonlySet<SocketMessage['kind']>;
  /** Disconnects. */
  leave(): void;
}

interface LiveOptions {
  model?: string;
  setup?: object;
  /** In place of a setup. */
  first?: SocketMessage;
  principal?: Principal;
  requestId?: string;
}

const mostBytes = 16 * 1024 * 1024;

export async function connectLive(
  bench: Pick<ChatBench, 'openLive'>,
  {
    model = 'gemini-live',
    setup = {},
    first = textOf({ setup: { model: `models/${model}`, ...setup } }),
    ...ask
  }: LiveOptions = {},
): Promise<LiveClient> {
  const outgoing = new PassThrough();
  const leaving = new AbortController();
  outgoing.write(encodeSocketMessage(first));
  const { body } = await bench.openLive(outgoing, { ...ask, signal: leaving.signal, timeoutMs: 60_000 });
  const messages = socketMessagesIn(body, mostBytes);
  const kinds = new Set<SocketMessage['kind']>();
  async function next(): Promise<SocketMessage> {
    const { value, done } = await messages.next();
    if (done === true) throw new Error('The session has ended.');
    kinds.add(value.kind);
    return value;
  }
  return {
    kinds,
    send: (message) => void outgoing.write(encodeSocketMessage(textOf(message))),
    sendBytes: (bytes, kind = 'text') => void outgoing.write(encodeSocketMessage({ kind, bytes })),
    async until(name) {
      const read: LiveMessage[] = [];
      for (;;) {
        const message = await next();
        if (message.kind === 'close') throw new Error(`closed before ${name}: ${message.code} ${message.reason}`);
        const document = JSON.parse(message.bytes.toString()) as LiveMessage;
        read.push(document);
        if (name in document || name in (document.serverContent ?? {})) return read;
      }
    },
    async closed() {
      for (;;) {
        const message = await next();
        if (message.kind === 'close') return message;
      }
    },
    leave: () => leaving.abort(),
  };
}

const textOf = (message: object): Exclude<SocketMessage, { kind: 'close' }> => ({
  kind: 'text',
  bytes: Buffer.from(JSON.stringify(message)),
});

/** What a client says in writing, and asks for an answer to. */
export const writes = (text: string, turnComplete = true) => ({
  clientContent: { turns: [{ role: 'user', parts: [{ text }] }], turnComplete },
});

/** So many milliseconds of PCM. */
export const hears = (ms: number, kind: 'sound' | 'silence' = 'sound') => ({
  realtimeInput: {
    audio: {
      mimeType: 'audio/pcm;rate=16000',
      data: Buffer.alloc(ms * 32, kind === 'sound' ? 1 : 0).toString('base64'),
    },
  },
});
