import { batchEndpoints } from './batch-endpoints.ts';
import { byName, namesOf } from './by-name.ts';
import { lookUp, same } from './endpoint-parts.ts';
import type { Endpoint } from './endpoint.ts';
import { geminiErrors } from './error-forms/gemini-errors.ts';
import { interactionsErrors } from './error-forms/interactions-errors.ts';
import { messagesErrors } from './error-forms/messages-errors.ts';
import { responsesErrors } from './error-forms/responses-errors.ts';
import { fileEndpoints } from './file-endpoints.ts';
import { type Exchange, exchange } from './service.ts';
import type { UsageOperation } from './paid-operations.ts';

const json = 'application/json';
const form = 'multipart/form-data';

const openLookUp = { ...lookUp, key: 'optional' } as const;
/** Requests that cost money. */
const paid = { method: 'POST', key: 'required', kind: 'chat', accepts: [json] } as const;
const called = { ...paid, service: 'chat' } as const;
/** Requests like those, which call no model that answers. */
const counted = { ...paid, kind: 'models' } as const;

const models = [
  { ...openLookUp, path: '/v1/models', service: 'catalog', exchange: 'listModels', sdk: same('models.list') },
  { ...openLookUp, path: '/v1/models/{id}', service: 'catalog', exchange: 'getModel', sdk: same('models.retrieve', 0) },
] as const satisfies readonly Endpoint[];

const completions = [
  {
    ...called,
    path: '/v1/chat/completions',
    exchange: 'complete',
    usage: 'chat',
    sdk: same('chat.completions.create'),
  },
] as const satisfies readonly Endpoint[];

/** What OpenAI's clients used before chats. */
const texts = [
  { ...called, path: '/v1/completions', exchange: 'completeText', usage: 'chat', sdk: same('completions.create') },
] as const satisfies readonly Endpoint[];

/** Anthropic's API. */
const messages = [
  { ...paid, path: '/v1/messages', service: 'chat', exchange: 'messages', usage: 'chat', errors: messagesErrors },
  { ...counted, path: '/v1/messages/count_tokens', service: 'chat', exchange: 'countTokens', errors: messagesErrors },
] as const satisfies readonly Endpoint[];

const ofResponses = { service: 'chat', errors: responsesErrors } as const;
/** Stored responses; none of these calls a provider. */
const stored = { ...lookUp, ...ofResponses, holdsContent: true } as const;

/** OpenAI's Responses API. */
const responses = [
  {
    ...paid,
    ...ofResponses,
    path: '/v1/responses',
    exchange: 'responses',
    usage: 'chat',
    socket: 'responses',
    isDeferrable: true,
    sdk: same('responses.create'),
  },
  {
    ...paid,
    ...ofResponses,
    path: '/v1/responses/compact',
    exchange: 'compactResponse',
    usage: 'chat',
    sdk: same('responses.compact'),
  },
  { ...stored, method: 'POST', path: '/v1/responses/input_tokens', accepts: [json], exchange: 'countResponseTokens' },
  {
    ...stored,
    path: '/v1/responses/{id}/input_items',
    exchange: 'listInputItems',
    sdk: { python: 'responses.input_items.list', typescript: 'responses.inputItems.list', argument: 1 },
  },
  { ...stored, method: 'POST', path: '/v1/responses/{id}/cancel', exchange: 'cancelResponse' },
  { ...stored, path: '/v1/responses/{id}', exchange: 'getResponse', sdk: same('responses.retrieve', 0) },
  {
    ...stored,
    method: 'DELETE',
    path: '/v1/responses/{id}',
    exchange: 'deleteResponse',
    sdk: same('responses.delete', 0),
  },
] as const satisfies readonly Endpoint[];

/** Conversations that clients keep here; none of these calls a provider. */
const ofConversation = { ...stored, path: '/v1/conversations/{id}' } as const;
const itemsOf = { ...stored, path: '/v1/conversations/{id}/items' } as const;
const itemOf = { ...stored, path: '/v1/conversations/{id}/items/{item_id}' } as const;
const changing = { method: 'POST', accepts: [json] } as const;

const conversations = [
  {
    ...stored,
    ...changing,
    path: '/v1/conversations',
    exchange: 'createConversation',
    sdk: same('conversations.create'),
  },
  { ...itemOf, exchange: 'getConversationItem' },
  { ...itemOf, method: 'DELETE', exchange: 'deleteConversationItem' },
  {
    ...itemsOf,
    exchange: 'listConversationItems',
    sdk: same('conversations.items.list', 1),
  },
  { ...itemsOf, ...changing, exchange: 'addConversationItems' },
  { ...ofConversation, exchange: 'getConversation', sdk: same('conversations.retrieve', 0) },
  { ...ofConversation, ...changing, exchange: 'updateConversation' },
  { ...ofConversation, method: 'DELETE', exchange: 'deleteConversation', sdk: same('conversations.delete', 0) },
] as const satisfies readonly Endpoint[];

const inGemini = { errors: geminiErrors } as const;

/** Google's API. Its clients use either version; `/v1/models` answers in its form by a header. */
const gemini = [
  { ...openLookUp, ...inGemini, path: '/v1beta/models', service: 'catalog', exchange: 'listGeminiModels' },
  { ...openLookUp, ...inGemini, path: '/v1beta/models/{id}', service: 'catalog', exchange: 'getGeminiModel' },
  ...generations('/v1beta'),
  ...generations('/v1'),
] as const satisfies readonly Endpoint[];

/** The end of an address names the method, after a colon. */
function generations(version: '/v1' | '/v1beta') {
  const path = `${version}/models/{id}`;
  return [
    { ...counted, ...inGemini, path: `${path}:countTokens`, service: 'chat', exchange: 'countGeminiTokens' },
    { ...paid, ...inGemini, path, service: 'chat', exchange: 'generateContent', usage: 'chat' },
  ] as const satisfies readonly Endpoint[];
}

const ofInteractions = { service: 'chat', errors: interactionsErrors } as const;
/** Stored interactions; none of these calls a provider. */
const storedInteraction = { ...lookUp, ...ofInteractions, holdsContent: true } as const;

/** Google's Interactions API. Its clients use either version. */
const interactions = [...interactionsAt('/v1beta'), ...interactionsAt('/v1')] as const satisfies readonly Endpoint[];

function interactionsAt(version: '/v1' | '/v1beta') {
  const path = `${version}/interactions`;
  const one = { ...storedInteraction, path: `${path}/{id}` };
  return [
    { ...paid, ...ofInteractions, path, exchange: 'interact', usage: 'chat' },
    { ...storedInteraction, method: 'POST', path: `${path}/{id}/cancel`, exchange: 'cancelInteraction' },
    { ...one, exchange: 'getInteraction' },
    { ...one, method: 'DELETE', exchange: 'deleteInteraction' },
  ] as const satisfies readonly Endpoint[];
}

/** Opened as a WebSocket only. */
const session = { ...paid, method: 'GET', service: 'chat', accepts: [], usage: 'realtime' } as const;
/** OpenAI's API, and TypeSafe's, which is called System One. */
const decided = { ...called, usage: 'decision' } as const;

/** The clients of each vendor know one of its addresses. */
const ranked = { ...called, exchange: 'rerank', usage: 'rerank' } as const;

/** Endpoints with models of their own. */
const calls = [
  {
    ...called,
    path: '/v1/embeddings',
    exchange: 'embed',
    usage: 'embeddings',
    makes: 'embeddings',
    sdk: same('embeddings.create'),
  },
  { ...called, path: '/v2/embed', exchange: 'embedByType', usage: 'embeddings' },
  {
    ...called,
    path: '/v1/moderations',
    exchange: 'moderate',
    usage: 'moderation',
    makes: 'moderations',
    sdk: same('moderations.create'),
  },
  { ...decided, path: '/v1/decisions', exchange: 'decide', makes: 'decisions', sdk: same('decisions.create') },
  { ...decided, path: '/v1/systemone', exchange: 'decideState' },
  { ...ranked, path: '/v1/rerank', makes: 'rankings' },
  { ...ranked, path: '/v2/rerank' },
  { ...ranked, path: '/rerank' },
  {
    ...called,
    path: '/v1/audio/speech',
    exchange: 'speak',
    usage: 'speech',
    makes: 'speech',
    sdk: same('audio.speech.create'),
  },
  {
    ...called,
    path: '/v1/audio/transcriptions',
    exchange: 'transcribe',
    accepts: [form],
    usage: 'transcription',
    makes: 'transcriptions',
    sdk: same('audio.transcriptions.create'),
  },
  {
    ...called,
    path: '/v1/audio/translations',
    exchange: 'translate',
    accepts: [form],
    usage: 'translation',
    sdk: same('audio.translations.create'),
  },
  { ...session, path: '/v1/realtime', exchange: 'realtime', makes: 'realtime', socket: 'realtime' },
  {
    ...session,
    ...inGemini,
    path: '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
    exchange: 'live',
    socket: 'live',
  },
] as const satisfies readonly Endpoint[];

const ofImages = { ...paid, kind: 'images', service: 'image' } as const;

const images = [
  {
    ...ofImages,
    path: '/v1/images/generations',
    exchange: 'generate',
    usage: 'image_generation',
    sdk: same('images.generate'),
  },
  { ...ofImages, path: '/v1/images/edits', exchange: 'edit', accepts: [json, form], usage: 'image_edit' },
] as const satisfies readonly Endpoint[];

const gateway = [
  { ...counted, path: '/v1/routes/explain', service: 'chat', exchange: 'explain' },
  { ...lookUp, path: '/v1/providers', service: 'chat', exchange: 'providers' },
  { ...lookUp, path: '/v1/usage', service: 'ledger', exchange: 'ownUsage' },
  { ...lookUp, path: '/v1/key', service: 'auth', exchange: 'ownKey' },
] as const satisfies readonly Endpoint[];

const ofSession = { ...paid, key: 'session' } as const;

/** What the playground calls for the person who is signed in. */
const playground = [
  { ...ofSession, path: '/session/chat/completions', service: 'chat', exchange: 'complete', usage: 'chat' },
  {
    ...ofSession,
    path: '/session/images/generations',
    kind: 'images',
    service: 'image',
    exchange: 'generate',
    usage: 'image_generation',
  },
  { ...ofSession, path: '/session/embeddings', service: 'chat', exchange: 'embed', usage: 'embeddings' },
  { ...ofSession, path: '/session/audio/speech', service: 'chat', exchange: 'speak', usage: 'speech' },
] as const satisfies readonly Endpoint[];

/**
 * The endpoints of the API that services answer over the bus. The routes of edge, the exchanges of contracts, the labels of
 * metrics and the examples of SDKs follow from this table.
 */
export const endpoints = [
  ...models,
  ...completions,
  ...messages,
  ...responses,
  ...conversations,
  ...texts,
  ...gemini,
  ...interactions,
  ...calls,
  ...images,
  ...fileEndpoints,
  ...batchEndpoints,
  ...gateway,
  ...playground,
] as const satisfies readonly Endpoint[];

type Listed = (typeof endpoints)[number];
export type ServiceOfEndpoints = Listed['service'];
export type ExchangeName<Service extends ServiceOfEndpoints> = Extract<Listed, { service: Service }>['exchange'];

const listed: readonly Endpoint[] = endpoints;

/** The exchanges of a contract that are endpoints. */
export const exchangesOf = <Service extends ServiceOfEndpoints>(service: Service) => {
  const names = listed.filter((each) => each.service === service).map((each) => each.exchange);
  return byName(names as ExchangeName<Service>[], (): Exchange => exchange());
};

type Paid = Extract<Listed, { usage: UsageOperation }>;

type UsageOfExchanges<Service> = {
  readonly [Row in Extract<Paid, { service: Service }> as Row['exchange']]: Row['usage'];
};

/** What the exchanges of a service are recorded as; absent for those that cost nothing. */
export const usageOfExchanges = <Service extends ServiceOfEndpoints>(service: Service): UsageOfExchanges<Service> =>
  Object.fromEntries(
    listed.flatMap((each) =>
      each.service === service && each.usage !== undefined ? [[each.exchange, each.usage]] : [],
    ),
  ) as UsageOfExchanges<Service>;

/** The endpoint whose requests are recorded so; the first one, where other APIs have endpoints for the same. */
export function endpointOf(usage: UsageOperation): Paid {
  const found = endpoints.find((each): each is Paid => 'usage' in each && each.usage === usage);
  if (found === undefined) throw new TypeError(`No endpoint is recorded as ${usage}.`);
  return found;
}

/** The output modalities of models that do not chat, and the endpoint that serves each. */
export const ownEndpoints = Object.fromEntries(
  calls.flatMap((each) => ('makes' in each ? [[each.makes, `${each.method} ${each.path}`]] : [])),
) as Readonly<Record<OwnModality, string>>;

export type OwnModality = Extract<Listed, { makes: string }>['makes'];

/** The modality of a model that has only an endpoint of its own; `undefined` for models of chats and images. */
export const ownModalityOf = (outputModalities: readonly string[]): OwnModality | undefined =>
  outputModalities.includes('text')
    ? undefined
    : namesOf(ownEndpoints).find((modality) => outputModalities.includes(modality));
