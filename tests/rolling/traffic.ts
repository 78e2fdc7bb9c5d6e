import { Agent, request, type RequestOptions } from 'node:http';

interface Target {
  url: string;
  apiKey: string;
}

interface Traffic {
  /** Number of answers by kind of request. */
  counts: Readonly<Record<string, number>>;
  /** Descriptions of the failures. */
  failures: readonly string[];
  openStreams(): number;
  /** Starts no further requests and resolves when all have ended. */
  stop(): Promise<void>;
}

interface PlainRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  accept?: string;
  /** The expected status; 200 if absent. */
  status?: number;
}

interface Answer {
  status: number;
  text: string;
}

const plain: Readonly<Record<string, PlainRequest>> = {
  chat: ask('/v1/chat/completions', { model: 'sandbox-fast', messages: [{ role: 'user', content: '[words:5]' }] }),
  models: { method: 'GET', path: '/v1/models' },
  tools: {
    ...ask('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    accept: 'application/json, text/event-stream',
  },
  image: ask('/v1/images/generations', { model: 'sandbox-image', prompt: 'A lighthouse' }),
  page: { method: 'GET', path: '/dashboard', status: 303 },
  metadata: { method: 'GET', path: '/.well-known/oauth-authorization-server' },
};

function ask(path: string, body: object): PlainRequest {
  return { method: 'POST', path, body };
}

interface TrafficOptions {
  streams: number;
  words: number;
  /** Pause between two plain requests of one kind. */
  everyMs: number;
}

/**
 * Runs consecutive streams, and plain requests of every kind, each over a new connection and over a kept one, as
 * clients and proxies do.
 */
export function startTraffic(target: Target, { streams, words, everyMs }: TrafficOptions): Traffic {
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  const kept = new Agent({ keepAlive: true, maxSockets: 8 });
  let open = 0;
  let sent = 0;
  let stopping = false;
  const count = (kind: string) => (counts[kind] = (counts[kind] ?? 0) + 1);
  const fail = (kind: string, how: string) => failures.push(`${kind}: ${how}`);

  async function stream(): Promise<void> {
    while (!stopping) {
      open++;
      // Each prompt is unique, because an answer from the cache would not be a live stream.
      const content = `[words:${words}] ${sent++}`;
      const body = { model: 'sandbox-chat', stream: true, messages: [{ role: 'user', content }] };
      const answered = await send(target, ask('/v1/chat/completions', body)).catch((error: Error) => error);
      open--;
      const problem = answered instanceof Error ? describe(answered) : problemOfStream(answered, words);
      if (problem) fail('stream', problem);
      else count('stream');
    }
  }

  async function repeat(kind: string, question: PlainRequest, agent: Agent | undefined): Promise<void> {
    while (!stopping) {
      const answered = await send(target, question, agent).catch((error: Error) => error);
      if (answered instanceof Error) fail(kind, describe(answered));
      else if (answered.status !== (question.status ?? 200))
        fail(kind, `${answered.status} ${answered.text.slice(0, 300)}`);
      else count(kind);
      await pause(everyMs);
    }
  }

  const running = [
    ...Array.from({ length: streams }, stream),
    ...Object.entries(plain).flatMap(([kind, question]) => [
      repeat(kind, question, undefined),
      repeat(`${kind}, kept`, question, kept),
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

function send({ url, apiKey }: Target, { method, path, body, accept }: PlainRequest, agent?: Agent): Promise<Answer> {
  const options: RequestOptions = {
    method,
    agent: agent ?? false,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...(accept && { accept }) },
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, options, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() }));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body && JSON.stringify(body));
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
