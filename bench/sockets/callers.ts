import { on, once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { WebSocket } from 'ws';

export interface Times {
  first: number;
  end: number;
}

/** Calls the same thing again and again. */
export interface Caller {
  /** Resolves with the times until the first event and until the end, in milliseconds. */
  call(): Promise<Times>;
  close(): void;
}

type Headers = Record<string, string>;

/** On one connection that stays open. */
export function httpCaller(url: string, { headers, body }: { headers: Headers; body: object }): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  return {
    async call() {
      const startedAt = performance.now();
      const sent = request(url, {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': length },
      });
      sent.end(text);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      let first: number | undefined;
      for await (const _chunk of response as AsyncIterable<Buffer>) first ??= performance.now() - startedAt;
      if (response.statusCode !== 200 || first === undefined) throw new Error(`${url}: ${response.statusCode}`);
      return { first, end: performance.now() - startedAt };
    },
    close: () => agent.destroy(),
  };
}

export async function socketCaller(
  base: string,
  { headers, event, first: before }: { headers: Headers; event: object; first?: object },
): Promise<Caller> {
  const socket = await openSocket(base, headers);
  const previous = before && { previous_response_id: await idOf(socket, before) };
  const text = JSON.stringify({ ...event, ...previous });
  let ended = Promise.withResolvers<Times>();
  let startedAt = 0;
  let first: number | undefined;
  socket.on('message', (data: Buffer) => {
    first ??= performance.now() - startedAt;
    // The type is at the start of each event.
    const type = data.toString('latin1', 0, 64);
    if (type.includes('"response.completed"')) ended.resolve({ first, end: performance.now() - startedAt });
    if (type.includes('"error"') || type.includes('"response.failed"')) ended.reject(new Error(data.toString()));
  });
  return {
    call() {
      ended = Promise.withResolvers();
      startedAt = performance.now();
      first = undefined;
      socket.send(text);
      return ended.promise;
    },
    close: () => socket.terminate(),
  };
}

/** The id of the response to an event, once it has ended. */
async function idOf(socket: WebSocket, event: object): Promise<string> {
  socket.send(JSON.stringify(event));
  // Several messages can arrive within one turn of the event loop.
  for await (const [data] of on(socket, 'message') as AsyncIterable<[Buffer]>) {
    const { type, response } = JSON.parse(data.toString()) as { type: string; response?: { id: string } };
    if (response === undefined) throw new Error(data.toString());
    if (type === 'response.completed') return response.id;
  }
  throw new Error('The socket has ended.');
}

/** Opens so many sockets, a few at a time. */
export async function openSockets(
  base: string,
  { headers, count }: { headers: Headers; count: number },
): Promise<{ close(): void }> {
  const sockets: WebSocket[] = [];
  while (sockets.length < count) {
    const few = Array.from({ length: Math.min(50, count - sockets.length) }, () => openSocket(base, headers));
    sockets.push(...(await Promise.all(few)));
  }
  return { close: () => sockets.forEach((socket) => socket.terminate()) };
}

async function openSocket(base: string, headers: Headers): Promise<WebSocket> {
  const socket = new WebSocket(`${base.replace('http', 'ws')}/v1/responses`, { headers, perMessageDeflate: false });
  await once(socket, 'open');
  return socket;
}
