import {
  geminiErrors,
  type Guardrails,
  interactionsErrors,
  messagesErrors,
  type Principal,
  responsesErrors,
} from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { findChatProvider } from '@tallyport/providers';
import { sharedModel, type Simulator } from '@tallyport/simulator';
import { type ChatBench, type ClientAnswer, type SpokenApi, startChatBench } from './chat-bench.ts';

/** One way of using the gateway: an API, a vendor that has it or needs a translation, and the form of the answer. */
export interface DialectLane {
  name: string;
  api: SpokenApi;
  model: string;
  provider: string;
  form: 'plain' | 'events' | 'array';
  isNative: boolean;
}

/** The provider that every model of the bench has besides its own. */
export const secondProvider = 'sandbox-b';

/** A vendor of the lanes, and its own name of the model. */
interface LaneVendor {
  provider: string;
  vendorModel: string;
  /** It has the API of the lanes with its model. */
  isNative: boolean;
}

/** The vendors by the names of their models in the bench. */
type LaneVendors = Readonly<Record<string, LaneVendor>>;

export const laneWith =
  (vendors: LaneVendors) =>
  (api: SpokenApi, model: string, form: DialectLane['form']): DialectLane => {
    const { provider = '', isNative = false } = vendors[model] ?? {};
    const name = `${api} ${isNative ? 'native' : 'translated'} ${form}`;
    return { name, api, model, provider, form, isNative };
  };

interface LaneBenchOptions {
  environment?: Readonly<Record<string, string>>;
  /** Where a vendor is, given its address in the simulator. */
  place?: (address: string) => string;
}

/** A bench with a model per vendor. */
export const startLanes = (
  vendors: LaneVendors,
  { environment, place = (address) => address }: LaneBenchOptions = {},
): Promise<ChatBench> =>
  startChatBench({
    catalogue: catalogueOf(
      ...Object.entries(vendors).map(([model, { provider, vendorModel }]) =>
        modelOf(model, [
          offerOf(provider, { modelName: vendorModel }),
          offerOf(secondProvider, { modelName: sharedModel, priority: 0 }),
        ]),
      ),
    ),
    environment: (simulator) => ({
      SANDBOX_BASE_URL: place(simulator.url),
      ...Object.assign({}, ...Object.values(vendors).map((vendor) => settingsOf(vendor, { simulator, place }))),
      UPSTREAM_MAX_RESPONSE_BYTES: '262144',
      ...environment,
    }),
  });

function settingsOf(
  { provider, isNative }: LaneVendor,
  { simulator, place }: { simulator: Simulator; place(address: string): string },
): Record<string, string> {
  const stem = findChatProvider(provider)?.keyVariable;
  if (!isNative || stem === undefined) return {};
  return { [`${stem}_API_KEY`]: 'key', [`${stem}_BASE_URL`]: place(simulator.baseUrl(provider)) };
}

const errorForms = {
  messages: messagesErrors,
  responses: responsesErrors,
  generateContent: geminiErrors,
  interact: interactionsErrors,
};

export interface LaneOptions {
  /** Other providers may answer. */
  fallback?: boolean;
  requestId?: string;
  question?: string;
  guardrails?: Guardrails;
  contentLog?: Principal['contentLog'];
}

/** Asks one question, and answers as edge does: an error before the first byte is in the form of its API. */
export async function askInLane(
  bench: ChatBench,
  lane: DialectLane,
  { fallback = false, requestId = 'req_test', question = 'Hello there', guardrails, contentLog }: LaneOptions = {},
): Promise<ClientAnswer> {
  const { api, model, form } = lane;
  const stream = form !== 'plain';
  const bodies = {
    messages: { model, max_tokens: 500, stream, messages: [{ role: 'user', content: question }] },
    responses: { model, stream, store: false, input: question },
    generateContent: { contents: [{ role: 'user', parts: [{ text: question }] }] },
    interact: { model, stream, store: false, input: question },
  };
  const path = `${model}:${stream ? 'streamGenerateContent' : 'generateContent'}`;
  const answer = await bench.inApi(api, bodies[api], {
    principal: {
      accountId: 'account',
      keyId: 'key',
      ...(guardrails && { guardrails: [guardrails] }),
      ...(contentLog && { contentLog }),
    },
    headers: fallback ? {} : { 'x-no-fallback': 'true' },
    requestId,
    ...(api === 'generateContent' && { path, query: form === 'events' ? 'alt=sse' : '' }),
  });
  if (answer.error === undefined) return { ...answer, text: withoutChance(answer.text) };
  const refused = errorForms[api].error(answer.error, requestId);
  return { ...answer, status: refused.status, text: JSON.stringify(refused.body) };
}

/** Ids and times of our own differ from answer to answer; the simulator's do not. */
const withoutChance = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{32}/g, 'id')
    .replaceAll(/"(created|completed)_at":\d+/g, '"$1_at":0')
    .replaceAll(/"(created|updated)":"[^"]*"/g, '"$1":"then"');

type LaneAnswer = Pick<ClientAnswer, 'status' | 'text'>;

/** The documents of an answer: the events of a stream, or the only one. */
export function documentsIn({ form }: DialectLane, { status, text }: LaneAnswer): Record<string, unknown>[] {
  if (form !== 'events' || status !== 200) return [JSON.parse(text)].flat();
  const events = [...text.matchAll(/^data: (.*?)\r?$/gm)].map(([, data = '']) => data);
  return events.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data));
}
