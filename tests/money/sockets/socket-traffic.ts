import { connect } from 'node:net';
import type { ClientRequest } from '../client.ts';
import { edgeOf } from '../edge-of.ts';
import { newMark } from '../mark.ts';
import type { MoneySystem } from '../system.ts';
import { openSocketAgent, type SocketAgent } from './socket-agent.ts';
import type { SocketQuestion } from './socket-question.ts';

/** Clients with sockets: most of them keep theirs for many turns. */
interface SocketTraffic {
  send(number: number): Promise<ClientRequest>[];
  close(): void;
}

interface LastingAgent {
  agent: SocketAgent;
  turns: number;
}

/** Then a client goes and another one takes its place. */
const turnsOfAgent = 40;
const models = ['claude-sonnet-4-6', 'gpt-5.6-luna', 'gemini-3.5-flash'];

export function openSocketTraffic(system: MoneySystem): SocketTraffic {
  const lasting: LastingAgent[][] = system.gateway.baseUrls.map(() => []);

  /** One without a request, for as many turns. */
  function takeAgent(edge: number, turns: number): SocketAgent {
    const agents = (lasting[edge] ??= []);
    let free = agents.find(({ agent }) => agent.running === 0);
    if (free === undefined) agents.push((free = { agent: openSocketAgent(system, { edge }), turns: 0 }));
    free.turns += turns;
    if (free.turns >= turnsOfAgent) agents.splice(agents.indexOf(free), 1);
    return free.agent;
  }

  function askLasting(edge: number, questions: readonly Omit<SocketQuestion, 'mark'>[]): Promise<ClientRequest>[] {
    const agent = takeAgent(edge, questions.length);
    const asked = questions.map((question) => agent.ask({ mark: newMark(), ...question }));
    const isLast = lasting[edge]?.every((each) => each.agent !== agent);
    if (isLast) void Promise.all(asked).then(() => agent.close());
    return asked;
  }

  async function askOnce(edge: number, question: Omit<SocketQuestion, 'mark'>): Promise<ClientRequest> {
    const agent = openSocketAgent(system, { edge });
    const asked = await agent.ask({ mark: newMark(), ...question });
    agent.close();
    return asked;
  }

  return {
    /** Out of ten: three clients leave, one reads slowly, one has two requests at once, one asks another model. */
    send(number) {
      const edge = edgeOf(number);
      switch (number % 10) {
        case 0:
          return [askOnce(edge, { words: 60, leaves: 'in the answer' })];
        case 1:
          return [askOnce(edge, { words: 60, leaves: { afterMs: number % 60 } })];
        case 2:
          leaveAtUpgrade(system, edge);
          return [askOnce(edge, {})];
        case 3:
          return [askOnce(edge, { words: 100, stopsReadingMs: 3_000 })];
        case 4:
          return askLasting(edge, [{}, {}]);
        case 5:
          return askLasting(edge, [{ model: models[Math.floor(number / 10) % models.length] ?? '' }]);
        default:
          return askLasting(edge, [{}]);
      }
    },
    close() {
      for (const { agent } of lasting.flat()) agent.close();
    },
  };
}

/** Asks for a socket and disconnects. */
function leaveAtUpgrade({ gateway }: MoneySystem, edge: number): void {
  const { hostname, port } = new URL(gateway.baseUrls[edge] ?? '');
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => socket.destroy());
  const lines = [
    'GET /v1/responses HTTP/1.1',
    'host: gateway',
    `authorization: Bearer ${gateway.apiKey}`,
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, () => socket.destroy());
}
