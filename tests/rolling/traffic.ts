import { Agent, request, type RequestOptions } from 'node:http';

export interface Target {
  url: string;
  apiKey: string;
}

export interface Traffic {
  /** How many answers came, by what was asked for. */
  counts: Readonly<Record<string, number>>;
  /** What went wrong, in words. */
  failures: readonly string[];
  openStreams(): number;
  /** Starts nothing new, and resolves when everything has ended. */
  stop(): Promise<void>;
}

interface Ask {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  accept?: string;
}

interface Answer {
  status: number;
  text: string;
}

const plain: Readonly<Record<string, Ask>> = {
  chat: ask('/v1/chat/completions', { model: 'sandbox-fast', messages: [{ role: 'user', content: '[words:5]' }] }),
  models: { method: 'GET', path: '/v1/models' },
  tools: {
    ...ask('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    accept: 'application/json, text/event-stream',
  },
  image: ask('/v1/images/generations', { model: 'sandbox-image', prompt: 'A lighthouse' }),
  metadata: { method: 'GET', path: '/.well-known/oauth-authorization-server' },
};

function ask(path: string, body: object): Ask {
  return { method: 'POST', path, body };
}

export interface TrafficOptions {
  streams: number;
  words: number;
  /** Between two plain requests of one kind. */
  everyMs: number;
}

/**
 * Streams that follow each other without a pause, and plain requests of every kind: each once over a connection of its
 * own and once over one that is kept, as clients and proxies do.
 */
export function startTraffic(target: Target, { streams, words, everyMs }: TrafficOptions): Traffic {
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  const kept = new Agent({ keepAlive: true, maxSockets: 8 });
  let open = 0;
  let asked = 0;
  let stopping = false;
  const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1);
  const fail = (what: string, how: string) => failures.push(`${what}: ${how}`);

  async function stream(): Promise<void> {
    while (!stopping) {
      open++;
      // Each another one: an answer from the cache would not be live.
      const content = `[words:${words}] ${asked++}`;
      const body = { model: 'sandbox-chat', stream: true, messages: [{ role: 'user', content }] };
      const answered = await send(target, ask('/v1/chat/completions', body)).catch((error: Error) => error);
      open--;
      const problem = answered instanceof Error ? describe(answered) : problemOfStream(answered, words);
      if (problem) fail('stream', problem);
      else count('stream');
    }
  }

  async function repeat(what: string, question: Ask, agent: Agent | undefined): Promise<void> {
    while (!stopping) {
      const answered = await send(target, question, agent).catch((error: Error) => error);
      if (answered instanceof Error) fail(what, describe(answered));
      else if (answered.status !== 200) fail(what, `${answered.status} ${answered.text.slice(0, 300)}`);
      else count(what);
      await pause(everyMs);
    }
  }

  const running = [
    ...Array.from({ length: streams }, stream),
    ...Object.entries(plain).flatMap(([what, question]) => [
      repeat(what, question, undefined),
      repeat(`${what}, kept`, question, kept),
    ]),
  ];
  return {
    counts,
    failures,
    openStreams: () => open,
    async stop() {
      stopping = true;
      await Promise.all(running);
      kept.destroy();
    },
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const describe = (error: Error & { code?: string }): string => `${error.code ?? ''} ${error.message}`;

function send({ url, apiKey }: Target, { method, path, body, accept }: Ask, agent?: Agent): Promise<Answer> {
  const options: RequestOptions = {
    method,
    agent: agent ?? false,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...(accept && { accept }) },
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, options, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

function problemOfStream({ status, text }: Answer, words: number): string | undefined {
  if (status !== 200) return `${status} ${text.slice(0, 300)}`;
  const events = text.trimEnd().split('\n\n');
  if (events.at(-1) !== 'data: [DONE]') return `cut after ${events.length} events: ${events.at(-1)}`;
  const got = events
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)).choices[0]?.delta.content ?? '')
    .join('')
    .trim()
    .split(/\s+/).length;
  return got === words ? undefined : `${got} of ${words} words`;
}
