import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { WebSocket } from 'ws';

/** Calls the same thing again and again. */
export interface Caller {
  /** Resolves with the end of the answer. */
  call(): Promise<void>;
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
      const sent = request(url, {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': length },
      });
      sent.end(text);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      let bytes = 0;
      for await (const chunk of response as AsyncIterable<Buffer>) bytes += chunk.length;
      if (response.statusCode !== 200 || bytes === 0) throw new Error(`${url} answered ${response.statusCode}.`);
    },
    close: () => agent.destroy(),
  };
}

export async function socketCaller(
  base: string,
  { headers, event }: { headers: Headers; event: object },
): Promise<Caller> {
  const socket = await openSocket(base, headers);
  const text = JSON.stringify(event);
  let ended: PromiseWithResolvers<void> | undefined;
  socket.on('message', (data: Buffer) => {
    // The type is at the start of each event.
    const type = data.toString('latin1', 0, 64);
    if (type.includes('"response.completed"')) ended?.resolve();
    if (type.includes('"error"') || type.includes('"response.failed"')) ended?.reject(new Error(data.toString()));
  });
  return {
    call() {
      ended = Promise.withResolvers();
      socket.send(text);
      return ended.promise;
    },
    close: () => socket.terminate(),
  };
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
