import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { longestMs } from '../client.ts';
import { isEnd, type SocketAnswer, type SocketEvent } from './socket-answer.ts';
import type { SocketQuestion } from './socket-question.ts';

/** An open socket. */
export interface Connection {
  isOpen(): boolean;
  /** Sends a request and resolves at its end, or when the socket is closed. */
  ask(body: { stream_id: string | undefined }, question: SocketQuestion): Promise<SocketAnswer>;
  close(): void;
}

/** Rejects if the socket is not opened. */
export async function connect(address: string, apiKey: string): Promise<Connection> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const socket = new WebSocket(address.replace('http', 'ws'), { headers, handshakeTimeout: longestMs });
  const lanes = new Map<string | undefined, (event: SocketEvent) => void>();
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  socket.on('message', (data) => {
    const event = JSON.parse((data as Buffer).toString()) as SocketEvent;
    lanes.get(event.stream_id)?.(event);
  });
  await once(socket, 'open');
  socket.on('error', () => undefined);

  return {
    isOpen: () => socket.readyState === socket.OPEN,
    close: () => socket.close(),
    async ask(body, { leaves, stopsReadingMs }) {
      const events: SocketEvent[] = [];
      const ended = Promise.withResolvers<undefined>();
      let hasText = false;
      const lateMs = typeof leaves === 'object' ? leaves.afterMs : longestMs;
      const leaving = setTimeout(() => socket.terminate(), lateMs);
      lanes.set(body.stream_id, (event) => {
        events.push(event);
        if (isEnd(event)) ended.resolve(undefined);
        if (event.type !== 'response.output_text.delta' || hasText) return;
        hasText = true;
        if (leaves === 'in the answer') socket.terminate();
        else if (stopsReadingMs !== undefined) void stopReading(socket, stopsReadingMs);
      });
      socket.send(JSON.stringify(body));
      const code = await Promise.race([ended.promise, closed]);
      clearTimeout(leaving);
      lanes.delete(body.stream_id);
      return { events, code };
    },
  };
}

async function stopReading(socket: WebSocket, forMs: number): Promise<void> {
  socket.pause();
  await pause(forMs);
  socket.resume();
}
