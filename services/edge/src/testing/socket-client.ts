import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type ClientOptions, WebSocket } from 'ws';

/** What tests read of an event. */
interface SocketEvent {
  type: string;
  stream_id?: string;
  response?: {
    id: string;
    status: string;
    output: unknown;
    previous_response_id: string | null;
  };
  error?: { code: string | null; message: string };
}

export interface SocketClient {
  webSocket: WebSocket;
  send(event: object): void;
  /** The next event. Rejects if the socket is closed before it. */
  next(): Promise<SocketEvent>;
  /** The next events, up to and including one of a type. */
  until(type: string): Promise<SocketEvent[]>;
  /** Resolves once it is closed. */
  closed: Promise<{ code: number; reason: string }>;
}

export interface ConnectOptions extends ClientOptions {
  key?: string;
  protocols?: string[];
}

/** Opens a WebSocket of an edge, or rejects with what refused it. */
export async function connectSocket(base: string, path: string, options: ConnectOptions = {}): Promise<SocketClient> {
  const { key, protocols = [], headers, ...rest } = options;
  const authorization = key !== undefined && { authorization: `Bearer ${key}` };
  const webSocket = new WebSocket(base.replace('http', 'ws') + path, protocols, {
    ...rest,
    headers: { ...authorization, ...headers },
  });
  const client = clientOf(webSocket);
  await once(webSocket, 'open');
  return client;
}

function clientOf(webSocket: WebSocket): SocketClient {
  const events: SocketEvent[] = [];
  const waiting: PromiseWithResolvers<SocketEvent>[] = [];
  const closed = Promise.withResolvers<{ code: number; reason: string }>();
  let ending: Error | undefined;
  webSocket.on('message', (data) => {
    const event = JSON.parse(data.toString()) as SocketEvent;
    const waiter = waiting.shift();
    if (waiter) waiter.resolve(event);
    else events.push(event);
  });
  webSocket.on('error', () => undefined);
  webSocket.on('close', (code, reason) => {
    closed.resolve({ code, reason: reason.toString() });
    ending = new Error(`The socket was closed with ${code} ${reason}.`);
    for (const each of waiting.splice(0)) each.reject(ending);
  });
  const next = (): Promise<SocketEvent> => {
    const ready = events.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    if (ending !== undefined) return Promise.reject(ending);
    const waiter = Promise.withResolvers<SocketEvent>();
    waiting.push(waiter);
    return waiter.promise;
  };
  return {
    webSocket,
    closed: closed.promise,
    send: (event) => webSocket.send(JSON.stringify(event)),
    next,
    async until(type) {
      const found: SocketEvent[] = [];
      do found.push(await next());
      while (found.at(-1)?.type !== type);
      return found;
    },
  };
}

/** What an edge answers to an upgrade that it refuses. */
export async function refusedSocket(base: string, path: string, options: ConnectOptions = {}) {
  const { key, protocols = [], headers, ...rest } = options;
  const authorization = key !== undefined && { authorization: `Bearer ${key}` };
  const webSocket = new WebSocket(base.replace('http', 'ws') + path, protocols, {
    ...rest,
    headers: { ...authorization, ...headers },
  });
  webSocket.on('error', () => undefined);
  const [, response] = (await once(webSocket, 'unexpected-response')) as [unknown, IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return {
    status: response.statusCode,
    headers: response.headers,
    ...(JSON.parse(text) as { error: { code: string; message: string } }),
  };
}
