import { createClient, type ExchangeHandler, inProcessLink, type Link, serve } from '@tallyport/bus';
import { authService, chatService, hashKey, service } from '@tallyport/contracts';
import { createKit, createMetrics, readConfig, silentLog } from '@tallyport/service-kit';
import { openStore } from '@tallyport/store';
import { edgeConfig } from '../config.ts';
import { edgeModule } from '../module.ts';

export interface SocketEdge {
  /** `http://…` */
  base: string;
  /** What answers requests of sockets. */
  respond: ExchangeHandler;
  /** What answers realtime sessions, those of Google's Live API included. */
  realtime: ExchangeHandler;
  /** Revokes a key, and announces it. */
  revoke(key: string): void;
  /** Sets when a key expires. */
  expire(key: string, at: Date): void;
  /** A value of the metrics. */
  metric(series: string): Promise<number>;
  stop(deadlineMs?: number): Promise<void>;
}

/** Starts a complete edge in front of a service that answers as a test wants. `spent` has one chat a minute. */
export async function openSocketEdge(environment: Record<string, string> = {}): Promise<SocketEdge> {
  const [link, store] = [inProcessLink(), await openStore()];
  const metrics = createMetrics({ defaults: false });
  const revoked = new Set<string>();
  const expiries = new Map<string, Date>();
  const edge: Pick<SocketEdge, 'realtime' | 'respond'> = { realtime: answering(), respond: answering() };
  await serveBehind(link, edge, { revoked, expiries });
  const config = readConfig(edgeConfig, {
    environment: { PORT: '0', INTERNAL_SECRET: 'x'.repeat(32), ...environment },
  });
  const kit = createKit({ name: 'edge', config, log: silentLog(), metrics });
  const part = edgeModule(kit, { link, store, consoleUrls: () => ['http://127.0.0.1:1'] });
  await part.start?.();
  const auth = createClient(link, authService);
  let stopped: Promise<void> | undefined;
  return Object.assign(edge, {
    base: part.address(),
    revoke(key: string) {
      revoked.add(hashKey(key));
      auth.keyRevoked.publish({ keyHash: hashKey(key) });
    },
    expire: (key: string, at: Date) => void expiries.set(hashKey(key), at),
    async metric(series: string) {
      const line = (await metrics.text()).split('\n').find((each) => each.startsWith(`${series} `));
      return Number(line?.split(' ')[1] ?? 0);
    },
    async stop(deadlineMs = 2_000) {
      stopped ??= stopAll();
      await stopped;
      async function stopAll(): Promise<void> {
        await part.stop?.(deadlineMs);
        await Promise.all([link.close(), store.close()]);
      }
    },
  });
}

async function serveBehind(
  link: Link,
  edge: Pick<SocketEdge, 'realtime' | 'respond'>,
  { revoked, expiries }: { revoked: ReadonlySet<string>; expiries: ReadonlyMap<string, Date> },
): Promise<void> {
  const { authenticate } = authService.operations;
  await serve(link, service(authService.name, { authenticate }), {
    authenticate({ keyHash }) {
      const expiresAt = expiries.get(keyHash);
      const hasExpired = expiresAt !== undefined && expiresAt.getTime() <= Date.now();
      if (revoked.has(keyHash) || hasExpired || keyHash === hashKey('unknown')) return { caller: null };
      const principal = { accountId: 'acc', keyId: keyHash.slice(0, 8) };
      const spent = keyHash === hashKey('spent') && { key: { requestsPerMinute: { chat: 1 } } };
      return { caller: { principal, limits: { ...spent }, ...(expiresAt && { expiresAt: expiresAt.toISOString() }) } };
    },
  });
  const { live, realtime, responses } = chatService.operations;
  await serve(link, service(chatService.name, { live, realtime, responses }), {
    live: (exchange) => edge.realtime(exchange),
    realtime: (exchange) => edge.realtime(exchange),
    responses: (exchange) => edge.respond(exchange),
  });
}

/** The events of a response, as chat-svc sends them. */
export const eventStream = (
  ...events: object[]
): { head: { status: number; headers: Record<string, string> }; body: Buffer } => ({
  head: { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } },
  body: Buffer.from(events.map((event) => textOf(event)).join('')),
});

export const textOf = (event: object): string => `event: x\ndata: ${JSON.stringify(event)}\n\n`;

/** Answers each request with the start and the end of a response that repeats its input. */
export function answering(): ExchangeHandler {
  let count = 0;
  return async ({ body }) => {
    const { input } = JSON.parse(Buffer.from(await body.bytes()).toString()) as { input: unknown };
    count += 1;
    const response = { id: `resp_${count}`, output: input };
    return eventStream(
      { type: 'response.created', response: { id: response.id } },
      { type: 'response.completed', response },
    );
  };
}
