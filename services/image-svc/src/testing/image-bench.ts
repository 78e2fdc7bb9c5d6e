import { type Client, createClient, inProcessLink } from '@tallyport/bus';
import {
  ledgerService,
  type Catalogue,
  GatewayError,
  imageService,
  type Model,
  type Principal,
  type UsageRecord,
} from '@tallyport/contracts';
import { createKit, createMetrics, type Log, readConfig, silentLog } from '@tallyport/service-kit';
import { sampleImageProviders, sandboxProviders, type Simulator, startSimulator } from '@tallyport/simulator';
import { openMemoryStore, type Store } from '@tallyport/store';
import { forgetfulRouting, serveCatalogue } from '@tallyport/serving/upstreams/testing';
import { imageConfig, imageModule } from '../module.ts';

/** image-svc on an in-process link, with the simulator as its providers and a catalogue of one image model. */
export interface ImageBench {
  simulator: Simulator;
  /** The providers in catalogue order. */
  providers: readonly string[];
  generate(body: unknown, options?: AskOptions): Promise<ClientAnswer>;
  edit(body: unknown, options?: AskOptions): Promise<ClientAnswer>;
  open(
    operation: 'generate' | 'edit',
    body: unknown,
    options?: AskOptions,
  ): ReturnType<Client<typeof imageService.operations>['generate']>;
  metrics(): Promise<string>;
  /** The records written to the journal, in order. */
  usage: UsageRecord[];
  close(): Promise<void>;
}

export interface AskOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  principal?: Principal;
}

/** The client's result: a status with a body, or the error that edge would send. */
export interface ClientAnswer {
  status: number;
  headers: Record<string, string>;
  body: ImagesBody;
  error?: GatewayError;
}

export interface ImagesBody {
  created: number;
  data: { b64_json: string; revised_prompt?: string }[];
  [member: string]: unknown;
}

interface ImageBenchOptions {
  environment?: Record<string, string>;
  catalogue?: Catalogue;
  log?: Log;
  /** Shared with other benches; a new one when absent. */
  store?: Store;
}

export async function startImageBench(options: ImageBenchOptions = {}): Promise<ImageBench> {
  const simulator = await startSimulator();
  const link = inProcessLink();
  const catalogue = options.catalogue ?? { version: '1', models: [imageModelEntry(), textModelEntry, ...vendorModels] };
  const catalog = await serveCatalogue(link, () => catalogue);
  const usage: UsageRecord[] = [];
  await createClient(link, ledgerService).usage.consume(async (records) => void usage.push(...records));
  const store = options.store ?? openMemoryStore();
  const environment = {
    SANDBOX_BASE_URL: simulator.url,
    ...vendorSettings(simulator),
    ...forgetfulRouting,
    CACHE_TTL_SECONDS: '60',
    ...options.environment,
  };
  const metrics = createMetrics({ defaults: false });
  const config = readConfig(imageConfig, { environment });
  const kit = createKit({ name: 'image-svc', config, log: options.log ?? silentLog(), metrics });
  const image = imageModule(kit, { link, store });
  await image.start?.();
  const open = opener(createClient(link, imageService));
  return {
    open,
    generate: (body, ask) => answered(open('generate', body, ask)),
    edit: (body, ask) => answered(open('edit', body, ask)),
    simulator,
    usage,
    providers: sandboxProviders.map(({ id }) => id),
    metrics: () => metrics.text(),
    async close() {
      await image.stop?.(100);
      await catalog.drain(100);
      if (options.store === undefined) await store.close();
      await link.close();
      await simulator.close();
    },
  };
}

const opener =
  (client: Client<typeof imageService.operations>): ImageBench['open'] =>
  (operation, body, { headers = {}, principal, signal } = {}) => {
    const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
    const head = { requestId: 'req_test', timeoutMs: 20_000, headers, ...(principal && { principal }) };
    return client[operation]({ head, body: bytes, ...(signal && { signal }) });
  };

async function answered(opening: ReturnType<ImageBench['open']>): Promise<ClientAnswer> {
  try {
    const { head, body } = await opening;
    const text = Buffer.from(await body.bytes()).toString();
    return { status: head.status, headers: head.headers, body: JSON.parse(text) as ImagesBody };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { status: error.status, headers: {}, body: { created: 0, data: [] }, error };
  }
}

/** The image model that all simulated providers have. */
export const imageModelEntry = (changes: Partial<Model> = {}): Model => ({
  id: 'sandbox-image',
  name: 'Painter',
  aliases: [],
  created: 1,
  description: 'Simulated.',
  family: 'sandbox',
  inputModalities: ['text', 'image'],
  outputModalities: ['image'],
  jsonOutput: false,
  structuredOutputs: false,
  free: false,
  stability: 'stable',
  supportedParameters: [],
  offers: sandboxProviders.map(({ id }) => offerAt(id, 'sandbox-image')),
  ...changes,
});

const vendorModels = sampleImageProviders.flatMap(({ providerId, modelNames }) =>
  modelNames.map((name) => imageModelEntry({ id: name, offers: [offerAt(providerId, name)] })),
);

const vendorSettings = (simulator: Simulator): Record<string, string> =>
  Object.fromEntries(
    sampleImageProviders.flatMap(({ providerId, stem, path = '' }) => [
      [`${stem}_API_KEY`, 'key-of-the-bench'],
      [`${stem}_BASE_URL`, simulator.baseUrl(providerId) + path],
    ]),
  );

const textModelEntry: Model = {
  ...imageModelEntry({ id: 'sandbox', outputModalities: ['text'] }),
  offers: [offerAt('sandbox-a', 'sandbox')],
};

function offerAt(providerId: string, modelName: string): Model['offers'][number] {
  return {
    providerId,
    modelName,
    pricing: { image: '0.04' },
    streaming: false,
    vision: true,
    tools: false,
    parallelToolCalls: false,
    reasoning: false,
    cancellation: true,
    stability: 'stable',
  };
}
