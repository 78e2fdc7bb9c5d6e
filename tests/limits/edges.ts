import { createClient, type ExchangeHandler, type Link, serve } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import {
  authService,
  type Caller,
  catalogService,
  chatService,
  hashKey,
  imageService,
  service,
} from '@tallyport/contracts';
import { edgeConfig, edgeModule, type EdgePart } from '@tallyport/edge';
import { createKit, createMetrics, readConfig, silentLog } from '@tallyport/service-kit';
import { openStore, type Store } from '@tallyport/store';
import { startNats, startRedis, type TestServer } from '../support/servers.ts';

/** Several edges over real NATS and Redis, with stub services behind them. */
export interface Edges {
  nats: TestServer;
  redis: TestServer;
  addresses: readonly string[];
  /** The caller of each key, as auth-svc would return it. An error is thrown. */
  callers: Map<string, Caller | Error>;
  lookUps(): number;
  /**
   * Sends a chat, or another request with this `path`, to one edge. It is answered at once, except for the content `hold`,
   * and `stream`, which has a first part that is sent at once.
   */
  chat(edge: number, options?: ChatOptions): Promise<Response>;
  get(edge: number, path: string, headers?: Record<string, string>): Promise<Response>;
  /** Number of requests that wait for an answer or the end of one. */
  holding(): number;
  /** Answers all waiting requests. */
  release(): void;
  metrics(edge: number): Promise<string>;
  revoke(key: string): void;
  changed(accountId: string): void;
  /** Simulates the death of an edge: it stops talking to Redis. */
  crash(edge: number): Promise<void>;
  stop(): Promise<void>;
}

interface ChatOptions {
  path?: string;
  key?: string;
  content?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

interface Running {
  edge: EdgePart;
  link: Link;
  store: Store;
  metrics: ReturnType<typeof createMetrics>;
}

export async function startEdges(count: number, environment: Record<string, string> = {}): Promise<Edges> {
  const [nats, redis] = await Promise.all([startNats(), startRedis()]);
  const stubLink = await natsLink({ url: nats.url, name: 'stubs' });
  const callers = new Map<string, Caller | Error>();
  const { held, lookUps } = await serveStubs(stubLink, callers);
  const running = await Promise.all(
    Array.from({ length: count }, () => startEdge({ nats: nats.url, redis: redis.url, environment })),
  );
  const addresses = running.map(({ edge }) => edge.address());
  const notices = createClient(stubLink, authService);

  return {
    nats,
    redis,
    addresses,
    callers,
    lookUps,
    chat: (edge, { path = '/v1/chat/completions', key = 'a-key-of-the-test', content = 'now', headers, signal } = {}) =>
      fetch(addresses[edge] + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: content,
        ...(signal && { signal }),
      }),
    get: (edge, path, headers = {}) => fetch(`${addresses[edge]}${path}`, { headers }),
    holding: () => held.length,
    release: () => held.splice(0).forEach((end) => end()),
    metrics: (edge) => running[edge]!.metrics.text(),
    revoke: (key) => notices.keyRevoked.publish({ keyHash: hashKey(key) }),
    changed: (accountId) => notices.accountChanged.publish({ accountId }),
    async crash(edge) {
      await running[edge]!.store.close();
    },
    async stop() {
      held.splice(0).forEach((end) => end());
      for (const { edge, store, link } of running) {
        await edge.stop?.(2_000);
        await store.close();
        await link.close();
      }
      await stubLink.close();
      await Promise.all([nats.stop(), redis.stop()]);
    },
  };
}

async function startEdge(urls: { nats: string; redis: string; environment: Record<string, string> }): Promise<Running> {
  const link = await natsLink({ url: urls.nats, name: 'edge' });
  const store = await openStore({ url: urls.redis });
  const config = readConfig(edgeConfig, {
    environment: { PORT: '0', INTERNAL_SECRET: 'x'.repeat(32), ...urls.environment },
  });
  const metrics = createMetrics({ defaults: false });
  const kit = createKit({ name: 'edge', config, log: silentLog(), metrics });
  const edge = edgeModule(kit, { link, store, consoleUrls: () => [] });
  await edge.start?.();
  return { edge, link, store, metrics };
}

async function serveStubs(link: Link, callers: Map<string, Caller | Error>) {
  const held: (() => void)[] = [];
  let lookUps = 0;
  const byHash = (keyHash: string): Caller | null => {
    lookUps += 1;
    const found = [...callers].find(([key]) => hashKey(key) === keyHash)?.[1] ?? null;
    if (found instanceof Error) throw found;
    return found;
  };
  const ok = { status: 200, headers: { 'content-type': 'application/json' } };
  const { authenticate } = authService.operations;
  await serve(link, service(authService.name, { authenticate }), {
    authenticate: ({ keyHash }) => ({ caller: byHash(keyHash) }),
  });
  const released = () => new Promise<void>((resolve) => held.push(resolve));
  const answer: ExchangeHandler = async ({ body }) => {
    const content = Buffer.from(await body.bytes()).toString();
    if (content === 'stream') return { head: ok, body: streamed(released) };
    if (content === 'hold') await released();
    return { head: ok, body: Buffer.from(JSON.stringify({ object: 'chat.completion', choices: [] })) };
  };
  const { complete, responses, messages, generateContent, embed } = chatService.operations;
  const operations = { complete, responses, messages, generateContent, embed };
  await serve(link, service(chatService.name, operations), {
    complete: answer,
    responses: answer,
    messages: answer,
    generateContent: answer,
    embed: answer,
  });
  const { generate } = imageService.operations;
  await serve(link, service(imageService.name, { generate }), { generate: answer });
  const { listModels } = catalogService.operations;
  await serve(link, service(catalogService.name, { listModels }), {
    listModels: async () => ({ head: ok, body: Buffer.from('{"object":"list","data":[]}') }),
  });
  return { held, lookUps: () => lookUps };
}

async function* streamed(released: () => Promise<void>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('data: 1\n\n');
  await released();
  yield Buffer.from('data: 2\n\n');
}

/** A caller of this account, with the given changes. */
export const callerOf = (accountId: string, changes: Partial<Caller> = {}): Caller => ({
  principal: { accountId, keyId: `key-of-${accountId}` },
  limits: {},
  ...changes,
});
