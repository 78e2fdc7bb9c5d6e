import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ClientRequest, bodyOf, headersOf } from '../client.ts';
import type { Question } from '../question.ts';
import type { MoneySystem } from '../system.ts';

/** When a client disconnects, each in another phase of the request. */
export const leavingPoints = ['at the look-up of its key', 'half-closed', 'in its body', 'in the answer'] as const;
type LeavingPoint = (typeof leavingPoints)[number];

const longestMs = 45_000;

/** Sends a request over a new connection and closes it at the given point. */
export async function askAndLeave(
  system: MoneySystem,
  question: Question,
  point: LeavingPoint,
): Promise<ClientRequest> {
  const { mark, edge = 0 } = question;
  const from = Date.now();
  const { hostname, port } = new URL(system.gateway.baseUrls[edge] ?? '');
  const socket = connect({ host: hostname, port: Number(port) });
  socket.setTimeout(longestMs, () => socket.destroy());
  // A killed edge refuses or resets the connection, which is fine because this client disconnects anyway.
  socket.on('error', () => socket.destroy());
  const closed = new Promise((resolve) => socket.once('close', resolve));
  leave[point](socket, requestOf(system, question));
  await closed;
  return { mark, edge, left: true, whole: false, hit: false, from, until: Date.now(), result: `left ${point}` };
}

const leave: Record<LeavingPoint, (socket: Socket, request: RawRequest) => void> = {
  'at the look-up of its key': (socket, { head, body }) => socket.write(head + body, () => socket.destroy()),
  'half-closed': (socket, { head, body }) => socket.resume().end(head + body),
  'in its body': (socket, { head, body }) =>
    socket.write(head + body.slice(0, body.length / 2), () => socket.destroySoon()),
  'in the answer': (socket, { head, body }) => {
    socket.write(head + body);
    void leaveAtContent(socket);
  },
};

async function leaveAtContent(socket: Socket): Promise<void> {
  let text = '';
  while (!socket.destroyed && !text.includes('"content":"')) {
    const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => ['']);
    text += String(chunk);
  }
  socket.destroy();
}

interface RawRequest {
  head: string;
  body: string;
}

function requestOf(system: MoneySystem, question: Question): RawRequest {
  const body = bodyOf(question);
  const headers = Object.entries({
    host: 'gateway',
    ...headersOf(system, question),
    'content-length': Buffer.byteLength(body),
  });
  const lines = ['POST /v1/chat/completions HTTP/1.1', ...headers.map(([name, value]) => `${name}: ${value}`)];
  return { head: `${lines.join('\r\n')}\r\n\r\n`, body };
}
