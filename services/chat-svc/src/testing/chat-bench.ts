import { type Client, createClient, inProcessLink } from '@tallyport/bus';
import {
  type Catalogue,
  GatewayError,
  type KeptContent,
  type Model,
  type Principal,
  type RequestHead,
  type UsageRecord,
  ledgerService,
  chatService,
} from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { type Log, createKit, createMetrics, readConfig, silentLog } from '@tallyport/service-kit';
import {
  type Simulator,
  type SimulatorOptions,
  type SimulatedVendors,
  sandboxProviders,
  sharedModel,
  startSimulator,
} from '@tallyport/simulator';
import { openMemoryStore, type Store } from '@tallyport/store';
import { forgetfulRouting, serveCatalogue } from '@tallyport/serving/upstreams/testing';
import { chatConfig, chatModule } from '../module.ts';
import { type AccountAnswers, serveAccounts } from './serve-accounts.ts';
import { type ServedFile, serveFiles } from './serve-files.ts';

/** chat-svc on an in-process link, with the simulator as its providers and a catalogue of one shared model. */
export interface ChatBench {
  simulator: SimulatedVendors;
  /** The providers in catalogue order. */
  providers: readonly string[];
  ask(body: unknown, options?: AskOptions): Promise<ClientAnswer>;
  open(
    body: unknown,
    options?: AskOptions,
  ): ReturnType<ReturnType<typeof createClient<typeof chatService.operations>>['complete']>;
  embed(body: unknown, options?: AskOptions): Promise<ClientAnswer>;
  embedByType(body: unknown, options?: AskOptions): Promise<ClientAnswer>;
  openEmbeddings: ChatBench['open'];
  /** A request of another API. */
  inApi(api: SpokenApi | OtherApi, body: unknown, options?: AskOptions): Promise<ClientAnswer>;
  openInApi(api: SpokenApi, body: unknown, options?: AskOptions): ReturnType<ChatBench['open']>;
  /** `POST /v1/responses/input_tokens`. */
  countResponseTokens(body: unknown, options?: AskOptions): Promise<ClientAnswer>;
  /** A path below `/v1/responses/` or `/v1beta/interactions/`. */
  stored(operation: StoredOperation, path: string, options?: AskOptions): Promise<ClientAnswer>;
  /** `/v1/conversations`, and the paths below it. */
  conversation(operation: ConversationOperation, body?: unknown, options?: AskOptions): Promise<ClientAnswer>;
  moderate(body: unknown, options?: AskOptions): Promise<ClientAnswer>;
  rerank(body: unknown, options?: AskOptions): Promise<ClientAnswer>;
  decide(body: unknown, options?: AskOptions): Promise<ClientAnswer>;
  decideState(body: unknown, options?: AskOptions): Promise<ClientAnswer>;
  speak(body: unknown, options?: AskOptions): Promise<ClientAnswer>;
  openSpeech: ChatBench['open'];
  transcribe(form: FormData, options?: FormOptions): Promise<ClientAnswer>;
  /** `query` names the model. The body is the client's messages. */
  openRealtime(body: AsyncIterable<Uint8Array>, options: AskOptions): ReturnType<ChatBench['open']>;
  /** The first message of the client names the model. */
  openLive: ChatBench['openRealtime'];
  explain(body: unknown, options?: AskOptions): Promise<ClientAnswer>;
  estimateLines(body: Uint8Array, options?: AskOptions): Promise<ClientAnswer>;
  listProviders(options?: AskOptions): Promise<ClientAnswer>;
  metrics(): Promise<string>;
  /** The records written to the journal, in order. */
  usage: UsageRecord[];
  /** The prompts and answers that were sent to be stored, in order. */
  contents: KeptContent[];
  check(): Promise<{ ok: boolean; message?: string }>;
  close(): Promise<void>;
}

export type SpokenApi = 'generateContent' | 'interact' | 'messages' | 'responses';
/** Operations beside those that answer a chat, and legacy completions. */
type OtherApi = 'compactResponse' | 'completeText' | 'countGeminiTokens' | 'countTokens';
type StoredOperation =
  | 'getResponse'
  | 'deleteResponse'
  | 'listInputItems'
  | 'cancelResponse'
  | 'getInteraction'
  | 'deleteInteraction'
  | 'cancelInteraction';
export type ConversationOperation =
  | 'createConversation'
  | 'getConversation'
  | 'updateConversation'
  | 'deleteConversation'
  | 'addConversationItems'
  | 'listConversationItems'
  | 'getConversationItem'
  | 'deleteConversationItem';

interface FormOptions extends AskOptions {
  task?: 'transcribe' | 'translate';
}

export interface AskOptions {
  /** The rest of the path, and the query. */
  path?: string;
  query?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  requestId?: string;
  timeoutMs?: number;
  principal?: Principal;
  /** Of a request on a WebSocket. */
  socket?: RequestHead['socket'];
  /** Of a line of a batch. */
  batch?: RequestHead['batch'];
}

/** The client's result: a status with a body, or the error that edge would send. */
export interface ClientAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
  error?: GatewayError;
}

interface ChatBenchOptions extends Omit<AccountAnswers, 'contents'> {
  environment?: Record<string, string> | ((simulator: Simulator) => Record<string, string>);
  chunksPerSecond?: number;
  /** The simulator verifies AWS's signatures with them. */
  awsCredentials?: SimulatorOptions['awsCredentials'];
  catalogue?: Catalogue | ((simulatorUrl: string) => Catalogue);
  log?: Log;
  /** Files that clients have stored; batch-svc is away when absent. */
  files?: readonly ServedFile[];
  /** Shared with other benches; a new one when absent. */
  store?: Store;
}

export async function startChatBench(options: ChatBenchOptions = {}): Promise<ChatBench> {
  const { chunksPerSecond = 0, awsCredentials } = options;
  const simulator = await startSimulator({ chunksPerSecond, ...(awsCredentials && { awsCredentials }) });
  const link = inProcessLink();
  const wanted = options.catalogue ?? { version: '1', models: [sharedModelEntry()] };
  const catalogue = typeof wanted === 'function' ? wanted(simulator.url) : wanted;
  const catalog = await serveCatalogue(link, () => catalogue);
  const usage: UsageRecord[] = [];
  await createClient(link, ledgerService).usage.consume(async (records) => void usage.push(...records));
  const contents: KeptContent[] = [];
  await serveAccounts(link, { contents, providerKeys: options.providerKeys, routes: options.routes });
  if (options.files !== undefined) await serveFiles(link, options.files);
  const store = options.store ?? openMemoryStore();
  const { environment: own = {} } = options;
  const ofTest = typeof own === 'function' ? own(simulator) : own;
  const environment = { SANDBOX_BASE_URL: simulator.url, ...forgetfulRouting, ...ofTest };
  const metrics = createMetrics({ defaults: false });
  const config = readConfig(chatConfig, { environment });
  const kit = createKit({ name: 'chat-svc', config, log: options.log ?? silentLog(), metrics });
  const chat = chatModule(kit, { link, store });
  await chat.start?.();
  return {
    ...clientsOf(createClient(link, chatService)),
    simulator,
    usage,
    contents,
    providers: sandboxProviders.map(({ id }) => id),
    metrics: () => metrics.text(),
    check: async () => (await chat.check?.()) ?? { ok: true },
    async close() {
      await chat.stop?.(100);
      await catalog.drain(100);
      if (options.store === undefined) await store.close();
      await link.close();
      await simulator.close();
    },
  };
}

type ChatOperation =
  | 'complete'
  | SpokenApi
  | OtherApi
  | 'countResponseTokens'
  | StoredOperation
  | ConversationOperation
  | 'embed'
  | 'embedByType'
  | 'moderate'
  | 'rerank'
  | 'decide'
  | 'decideState'
  | 'speak'
  | 'live'
  | 'realtime'
  | 'transcribe'
  | 'translate'
  | 'explain'
  | 'estimateLines'
  | 'providers';

function clientsOf(client: Client<typeof chatService.operations>) {
  const sending =
    (operation: ChatOperation) =>
    (
      body: unknown,
      { requestId = 'req_test', timeoutMs = 30_000, headers = {}, signal, path, query, ...rest }: AskOptions = {},
    ) => {
      const bytes = isBytes(body) ? body : Buffer.from(JSON.stringify(body));
      const place = { ...(path && { path }), ...(query && { query }) };
      const head = { requestId, timeoutMs, headers, ...place, ...rest };
      return client[operation]({ head, body: bytes, ...(signal && { signal }) });
    };
  const transcribe = async (form: FormData, { task = 'transcribe', ...ask }: FormOptions = {}) => {
    const encoded = new Response(form);
    const headers = { ...ask.headers, 'content-type': encoded.headers.get('content-type') ?? '' };
    const body = new Uint8Array(await encoded.arrayBuffer());
    return answered(sending(task)(body, { ...ask, headers }));
  };
  const open = sending('complete');
  return {
    open,
    ask: (body: unknown, ask?: AskOptions) => answered(open(body, ask)),
    embed: (body: unknown, ask?: AskOptions) => answered(sending('embed')(body, ask)),
    embedByType: (body: unknown, ask?: AskOptions) => answered(sending('embedByType')(body, ask)),
    openEmbeddings: sending('embed'),
    inApi: (api: SpokenApi | OtherApi, body: unknown, ask?: AskOptions) => answered(sending(api)(body, ask)),
    openInApi: (api: SpokenApi, body: unknown, ask?: AskOptions) => sending(api)(body, ask),
    countResponseTokens: (body: unknown, ask?: AskOptions) => answered(sending('countResponseTokens')(body, ask)),
    stored: (operation: StoredOperation, path: string, ask?: AskOptions) =>
      answered(sending(operation)(new Uint8Array(), { ...ask, path })),
    conversation: (operation: ConversationOperation, body?: unknown, ask?: AskOptions) =>
      answered(sending(operation)(body ?? new Uint8Array(), ask)),
    moderate: (body: unknown, ask?: AskOptions) => answered(sending('moderate')(body, ask)),
    decide: (body: unknown, ask?: AskOptions) => answered(sending('decide')(body, ask)),
    decideState: (body: unknown, ask?: AskOptions) => answered(sending('decideState')(body, ask)),
    rerank: (body: unknown, ask?: AskOptions) => answered(sending('rerank')(body, ask)),
    speak: (body: unknown, ask?: AskOptions) => answered(sending('speak')(body, ask)),
    openSpeech: sending('speak'),
    openRealtime: sending('realtime'),
    openLive: sending('live'),
    transcribe,
    explain: (body: unknown, ask?: AskOptions) => answered(sending('explain')(body, ask)),
    estimateLines: (body: Uint8Array, ask?: AskOptions) => answered(sending('estimateLines')(body, ask)),
    listProviders: (ask?: AskOptions) => answered(sending('providers')(new Uint8Array(), ask)),
  };
}

const isBytes = (body: unknown): body is Uint8Array | AsyncIterable<Uint8Array> =>
  body instanceof Uint8Array || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body);

async function answered(opening: ReturnType<ChatBench['open']>): Promise<ClientAnswer> {
  try {
    const { head, body } = await opening;
    return { status: head.status, headers: head.headers, text: Buffer.from(await body.bytes()).toString() };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { status: error.status, headers: {}, text: '', error };
  }
}

/** The model that all simulated providers have. */
export const sharedModelEntry = (changes: Partial<Model> = {}): Model => ({
  id: sharedModel,
  name: 'Shared',
  aliases: ['shared'],
  created: 1,
  description: 'Simulated.',
  family: 'sandbox',
  inputModalities: ['text'],
  outputModalities: ['text'],
  jsonOutput: true,
  structuredOutputs: true,
  free: true,
  stability: 'stable',
  supportedParameters: [],
  offers: sandboxProviders.map(({ id }) => offerOf(id, { modelName: sharedModel, vision: false })),
  ...changes,
});

/** The events of a stream in order, `[DONE]` and comments included. */
export const eventsIn = (text: string): string[] =>
  text.split('\n\n').flatMap((event) => (event === '' ? [] : [event.replace(/^data: /, '')]));
