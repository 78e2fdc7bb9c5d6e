import { toGatewayError } from '@tallyport/contracts';
import { connectSocket, type SocketClient } from '../../../../services/edge/src/testing/socket-client.ts';
import { type ClientRequest, longestMs } from '../../client.ts';
import { newMark } from '../../mark.ts';
import type { MoneySystem } from '../../system.ts';
import { edgeOf } from '../../edge-of.ts';
import type { Feature } from './feature.ts';
import { Refusal, timed } from './use.ts';

const path = '/v1/realtime?model=gpt-realtime-2.1';
const turns = 3;

/** Realtime sessions of three turns. The client of every third one leaves in the middle of the last response. */
export async function talk({ gateway }: MoneySystem): Promise<Feature> {
  return {
    everyMs: 1_000,
    use: async (number) => {
      const [edge, mark] = [edgeOf(number), newMark()];
      const asked: ClientRequest[] = [];
      const use = await timed('realtime session', edge, async () => {
        const session = await connectSocket(gateway.baseUrls[edge] ?? '', path, {
          key: gateway.apiKey,
          // Its responses have no ids that the client could choose: their records are found by their end user.
          headers: { 'x-end-user': mark },
          handshakeTimeout: longestMs,
        });
        const late = setTimeout(() => session.webSocket.terminate(), longestMs);
        try {
          await until(session, 'session.created');
          for (let turn = 1; turn <= turns; turn += 1) {
            const leaves = turn === turns && number % 3 === 1;
            await respond(session, { mark, edge, leaves }, asked);
          }
        } finally {
          clearTimeout(late);
          session.webSocket.close();
        }
        return undefined;
      });
      return { ...use, asked };
    },
  };
}

interface Turn {
  mark: string;
  edge: number;
  leaves: boolean;
}

/** Asks for a response and waits for its end. The vendor goes on with one that its client leaves until it is cancelled. */
async function respond(session: SocketClient, { mark, edge, leaves }: Turn, asked: ClientRequest[]): Promise<void> {
  const request = { mark, edge, from: Date.now(), left: leaves, whole: false, hit: false };
  const text = leaves ? `${mark} [hold]` : mark;
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
  session.send({ type: 'conversation.item.create', item });
  session.send({ type: 'response.create' });
  const last = leaves ? 'response.output_audio.delta' : 'response.done';
  const ended = until(session, last);
  const result = await ended.then(() => (leaves ? 'left' : 'completed'), String);
  asked.push({ ...request, until: Date.now(), result, whole: result === 'completed' });
  await ended;
}

const internalMessage = toGatewayError(undefined).message;

/** Reads up to an event. An error of the session is a refusal. */
async function until(session: SocketClient, type: string): Promise<void> {
  for (;;) {
    const event = await session.next();
    if (event.type === type) return;
    if (event.type !== 'error') continue;
    if (event.error?.message === internalMessage) throw new Error(`internal_error: ${JSON.stringify(event)}`);
    throw new Refusal(`error ${event.error?.code}`);
  }
}
