import { createClient, type ExchangeHandler, inProcessLink, serve } from '@tallyport/bus';
import { ledgerService, exchange, type Principal, service, type UsageRecord } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { type ChatOutcome, createDispatch } from '@tallyport/dispatch';
import { createKit, createMetrics, type Kit, readConfig, silentLog } from '@tallyport/service-kit';
import { sandboxProviders, sharedModel, type Simulator, startSimulator } from '@tallyport/simulator';
import { openMemoryStore } from '@tallyport/store';
import { routingEvents } from '../upstreams/index.ts';
import { forgetfulRouting, serveCatalogue } from '../upstreams/testing/index.ts';
import type { Replays } from '../replay/index.ts';
import { openServing, requestEvents, servingConfig } from '../index.ts';
import type { SummaryTools } from './summaries.ts';

/** One endpoint on an in-process link, with simulated providers of one model with a price. */
export interface ServingBench {
  simulator: Simulator;
  /** The providers in the order in which they are tried. */
  providers: readonly string[];
  /** The records written to the journal, in order. */
  records: UsageRecord[];
  open(body: object | Buffer, options?: AskOptions): ReturnType<typeof openWith>;
  metrics(): Promise<string>;
  close(): Promise<void>;
}

export interface AskOptions {
  principal?: Principal;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  batch?: { id: string; line: number };
}

const contract = service('toy', { answer: exchange() });
const pricing = { prompt: '0.001', completion: '0.01' };
const offers = sandboxProviders.map(({ id }) => offerOf(id, { modelName: sharedModel, pricing }));

export interface BenchTools extends SummaryTools {
  replays: Replays;
}

export async function startServingBench(endpoint: (tools: BenchTools) => ExchangeHandler): Promise<ServingBench> {
  const simulator = await startSimulator({ chunksPerSecond: 0 });
  const link = inProcessLink();
  await serveCatalogue(link, () => catalogueOf(modelOf(sharedModel, offers)));
  const records: UsageRecord[] = [];
  await createClient(link, ledgerService).usage.consume(async (written) => void records.push(...written));
  const store = openMemoryStore();
  const metrics = createMetrics({ defaults: false });
  const environment = { SANDBOX_BASE_URL: simulator.url, ...forgetfulRouting, CACHE_TTL_SECONDS: '60' };
  const config = readConfig(servingConfig, { environment });
  const kit = createKit({ name: 'toy-svc', config, log: silentLog(), metrics });
  const needs = { link, store, events: routingEvents(kit), maxAttempts: 3, keepAliveMs: 15_000, release: '1' };
  const serving = openServing(kit, needs);
  const { upstreams, metering, throughCache, replays, guardrails, contentLog } = serving;
  const dispatch = createDispatch(upstreams.dispatchOptions);
  const times = { keepAliveMs: 15_000, headAfterMs: 10_000 };
  const { groundFor } = upstreams;
  const answer = endpoint({
    metering,
    throughCache,
    replays,
    guardrails,
    contentLog,
    dispatch,
    groundFor,
    events: eventsOf(kit),
    ...times,
  });
  const part = serving.part({ listen: () => serve(link, contract, { answer }), close: () => dispatch.close() });
  await part.start?.();
  const client = createClient(link, contract);
  return {
    simulator,
    providers: sandboxProviders.map(({ id }) => id),
    records,
    open: (body, options) => openWith(client, body, options),
    metrics: () => metrics.text(),
    async close() {
      await part.stop?.(100);
      await link.close();
      await store.close();
      await simulator.close();
    },
  };
}

const openWith = (
  client: ReturnType<typeof createClient<typeof contract.operations>>,
  body: object | Buffer,
  { principal, headers = {}, signal, batch }: AskOptions = {},
) => {
  const head = {
    requestId: 'req_toy',
    timeoutMs: 30_000,
    headers,
    ...(principal && { principal }),
    ...(batch && { batch }),
  };
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  return client.answer({ head, body: bytes, ...(signal && { signal }) });
};

const eventsOf = (kit: Kit) =>
  requestEvents<ChatOutcome>(kit, {
    operation: 'chat',
    messages: { answered: 'summary answered', failed: 'summary failed', refused: 'summary refused' },
    outcomeFields: () => ({}),
    onRefused: () => {},
  });
