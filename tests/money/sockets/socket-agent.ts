import { type ClientRequest, describe } from '../client.ts';
import type { MoneySystem } from '../system.ts';
import { type Connection, connect } from './connection.ts';
import { endOf } from './socket-answer.ts';
import type { SocketQuestion } from './socket-question.ts';

/** A client with a socket. It continues its last response, and connects again when its socket has ended. */
export interface SocketAgent {
  /** Never rejects. Requests that run at the same time have lanes. */
  ask(question: SocketQuestion): Promise<ClientRequest>;
  /** Number of requests without an end. */
  readonly running: number;
  close(): void;
}

interface AgentOptions {
  edge: number;
  apiKey?: string;
}

export function openSocketAgent(
  { gateway }: MoneySystem,
  { edge, apiKey = gateway.apiKey }: AgentOptions,
): SocketAgent {
  const address = `${gateway.baseUrls[edge]}/v1/responses`;
  let connecting: Promise<Connection> | undefined;
  let previous: { id: string; on: Connection; at: number } | undefined;
  let running = 0;

  /** The open socket, or another one in its place. */
  function connected(): Promise<Connection> {
    const before = connecting?.catch(() => undefined) ?? Promise.resolve(undefined);
    connecting = before.then((open) => (open?.isOpen() ? open : connect(address, apiKey)));
    return connecting;
  }

  async function answer(question: SocketQuestion): Promise<Partial<ClientRequest>> {
    const on = await connected();
    const from = Date.now();
    const continued = previous?.on === on ? previous : undefined;
    const lane = running > 1 ? question.mark : undefined;
    const body = { ...bodyOf(question), stream_id: lane, previous_response_id: continued?.id };
    const end = endOf(question, await on.ask(body, question));
    previous = end.id === undefined ? undefined : { id: end.id, on, at: from };
    // What it continues may have been lost since then.
    return { ...end.request, from: end.isForgotten ? (continued?.at ?? from) : from };
  }

  return {
    get running() {
      return running;
    },
    async ask(question) {
      const { mark, leaves } = question;
      const asked = { mark, edge, from: Date.now(), left: leaves !== undefined, whole: false, hit: false };
      running += 1;
      const answered = await answer(question).catch(refusedUpgrade);
      running -= 1;
      return { ...asked, result: '', until: Date.now(), ...answered };
    },
    close: () => void connecting?.then((open) => open.close()).catch(() => undefined),
  };
}

const bodyOf = ({ mark, model = 'sandbox-chat', words }: SocketQuestion) => ({
  type: 'response.create',
  model,
  input: `${mark}${words === undefined ? '' : ` [words:${words}]`}`,
  store: false,
  // A message has no header for an id: its record is found by its end user.
  safety_identifier: mark,
});

/** An upgrade is refused while a part of the gateway is away, and not answered by a killed edge. */
function refusedUpgrade(error: unknown): Pick<ClientRequest, 'result' | 'problem'> {
  const [, status] = /Unexpected server response: (5\d\d)/.exec(describe(error)) ?? [];
  if (status !== undefined && status !== '500') return { result: `upgrade ${status}` };
  return { result: 'no answer', problem: `no socket: ${describe(error)}` };
}
