import { answerCacheConfig, openAnswerCache } from '@switchyard/answer-cache';
import { createClient, type ExchangeHandler, inProcessLink, serve } from '@switchyard/bus';
import { authService, catalogService, exchange, GatewayError, service, type UsageRecord } from '@switchyard/contracts';
import type { Model, Principal } from '@switchyard/contracts';
import { type ChatOutcome, createDispatch } from '@switchyard/dispatch';
import { meteringConfig, openMetering } from '@switchyard/metering';
import { createKit, createMetrics, defineConfig, readConfig, silentLog } from '@switchyard/service-kit';
import { sandboxProviders, sharedModel, type Simulator, startSimulator } from '@switchyard/simulator';
import { openMemoryStore } from '@switchyard/store';
import { openUpstreams, routingEvents, upstreamConfig } from '@switchyard/upstreams';
import { requestEvents } from '../index.ts';
import type { SummaryTools } from './summaries.ts';

/** One endpoint on an in-process link, with simulated providers of one model that costs something. */
export interface ServingBench {
  simulator: Simulator;
  /** In the order in which they are tried. */
  providers: readonly string[];
  /** What was written to the journal, in order. */
  records: UsageRecord[];
  open(body: object, options?: AskOptions): ReturnType<typeof openWith>;
  metrics(): Promise<string>;
  close(): Promise<void>;
}

export interface AskOptions {
  principal?: Principal;
  signal?: AbortSignal;
}

const contract = service('toy', { answer: exchange() });
const config = defineConfig({ ...upstreamConfig, ...meteringConfig, ...answerCacheConfig });

export async function startServingBench(endpoint: (tools: SummaryTools) => ExchangeHandler): Promise<ServingBench> {
  const simulator = await startSimulator({ chunksPerSecond: 0 });
  const link = inProcessLink();
  await serveCatalogue(link);
  const records: UsageRecord[] = [];
  await createClient(link, authService).usage.consume(async (written) => void records.push(...written));
  const store = openMemoryStore();
  const metrics = createMetrics({ defaults: false });
  const environment = { SANDBOX_BASE_URL: simulator.url, ...forgetful };
  const kit = createKit({ name: 'toy-svc', config: readConfig(config, { environment }), log: silentLog(), metrics });
  const upstreams = openUpstreams(kit.config, { link, store, maxAttempts: 3, events: routingEvents(kit) });
  const dispatch = createDispatch(upstreams.dispatchOptions);
  const catalogueVersion = () => upstreams.routing.index().version;
  const metering = openMetering(kit, { link, store, priceVersion: catalogueVersion });
  const throughCache = openAnswerCache(kit, { store, metering, catalogueVersion, release: '1' });
  await upstreams.start();
  const tools = { metering, throughCache, dispatch, groundFor: upstreams.groundFor, events: eventsOf(kit) };
  const times = { keepAliveMs: 15_000, headAfterMs: 10_000 };
  await serve(link, contract, { answer: endpoint({ ...tools, ...times }) });
  const client = createClient(link, contract);
  return {
    simulator,
    providers: sandboxProviders.map(({ id }) => id),
    records,
    open: (body, options) => openWith(client, body, options),
    metrics: () => metrics.text(),
    async close() {
      await Promise.all([dispatch.close(), upstreams.stop(), metering.stop(100)]);
      await link.close();
      await store.close();
      await simulator.close();
    },
  };
}

const openWith = (
  client: ReturnType<typeof createClient<typeof contract.operations>>,
  body: object,
  { principal, signal }: AskOptions = {},
) => {
  const head = { requestId: 'req_toy', timeoutMs: 10_000, headers: {}, ...(principal && { principal }) };
  return client.answer({ head, body: Buffer.from(JSON.stringify(body)), ...(signal && { signal }) });
};

const eventsOf = (kit: Parameters<typeof requestEvents>[0]) =>
  requestEvents<ChatOutcome>(kit, {
    service: 'chat',
    route: '/v1/chat/completions',
    operation: 'chat',
    messages: { answered: 'summary answered', failed: 'summary failed', refused: 'summary refused' },
    outcomeFields: () => ({}),
    onRefused: () => {},
  });

/** What one test does to a provider is forgotten in the next. */
const forgetful = {
  ROUTING_EXPLORATION: '0',
  ROUTING_HEALTH_WINDOW_MS: '1',
  ROUTING_BREAKER_VOLUME: '1000000',
  ROUTING_BREAKER_FAILURES_IN_A_ROW: '1000000',
  ROUTING_MAX_COOLDOWN_MS: '0',
};

async function serveCatalogue(link: ReturnType<typeof inProcessLink>): Promise<void> {
  const away = () => Promise.reject(new GatewayError('unavailable', 'not here'));
  await serve(link, catalogService, {
    snapshot: () => ({ version: '1', models: [model] }),
    listModels: away,
    getModel: away,
    setOverride: away,
    removeOverride: away,
    listOverrides: away,
  });
}

const model: Model = {
  id: sharedModel,
  name: 'Shared',
  aliases: [],
  created: 1,
  description: 'Simulated.',
  family: 'sandbox',
  inputModalities: ['text'],
  outputModalities: ['text'],
  jsonOutput: true,
  structuredOutputs: true,
  free: false,
  stability: 'stable',
  supportedParameters: [],
  offers: sandboxProviders.map(({ id: providerId }) => ({
    providerId,
    modelName: sharedModel,
    pricing: { prompt: '0.001', completion: '0.01' },
    streaming: true,
    vision: false,
    tools: true,
    parallelToolCalls: true,
    reasoning: false,
    cancellation: true,
    stability: 'stable',
  })),
};
