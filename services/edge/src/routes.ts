import type { Client, ExchangeRequest, ExchangeResponse } from '@tallyport/bus';
import {
  type authService,
  type catalogService,
  type chatService,
  type ErrorForm,
  geminiErrors,
  type imageService,
  messagesErrors,
  type RequestKind,
  responsesErrors,
  type UsageOperation,
} from '@tallyport/contracts';

export interface Services {
  auth: Client<(typeof authService)['operations']>;
  catalog: Client<(typeof catalogService)['operations']>;
  chat: Client<(typeof chatService)['operations']>;
  image: Client<(typeof imageService)['operations']>;
}

/** A route whose requests are relayed over the bus. */
export interface RelayedRoute {
  method: 'GET' | 'POST' | 'DELETE';
  /**
   * A fixed path, or one with an `{id}` that matches the rest of the path, slashes included. What follows the `{id}` must end
   * the path; such routes precede those without.
   */
  path: string;
  /**
   * `optional`: the route works without a key; with one, the response depends on the key's permissions. `session`: for
   * modules of our pages, which show that they belong to a session and need no key.
   */
  key: 'required' | 'optional' | 'session';
  /** The kind of request, for the limits. */
  kind: RequestKind;
  /** Shows or changes what clients have sent or received. */
  holdsContent?: true;
  /** What a refused request is recorded as; absent for requests that cost nothing. */
  operation?: UsageOperation;
  /** The path of the route in metrics, traces and logs; `path` if absent. */
  countedAs?: string;
  /** The `{id}` is the model. */
  namesModel?: true;
  /** The content types a body may have; empty if the route accepts no body. */
  accepts: readonly string[];
  /** The form of errors; that of OpenAI's API if absent. */
  errors?: ErrorForm;
  open(request: ExchangeRequest): Promise<ExchangeResponse>;
}

const json = 'application/json';
const form = 'multipart/form-data';

/** All API routes except pages, paths of services that answer HTTP themselves, and the health check. */
export const relayedRoutes = ({ auth, catalog, chat, image }: Services): readonly RelayedRoute[] => [
  { method: 'GET', path: '/v1/models', key: 'optional', kind: 'models', accepts: [], open: catalog.listModels },
  { method: 'GET', path: '/v1/models/{id}', key: 'optional', kind: 'models', accepts: [], open: catalog.getModel },
  {
    method: 'POST',
    path: '/v1/chat/completions',
    key: 'required',
    kind: 'chat',
    operation: 'chat',
    accepts: [json],
    open: chat.complete,
  },
  ...dialectRoutes(chat),
  {
    method: 'POST',
    path: '/v1/completions',
    key: 'required',
    kind: 'chat',
    operation: 'chat',
    accepts: [json],
    open: chat.completeText,
  },
  ...geminiRoutes({ catalog, chat }),
  {
    method: 'POST',
    path: '/v1/embeddings',
    key: 'required',
    kind: 'chat',
    operation: 'embeddings',
    accepts: [json],
    open: chat.embed,
  },
  {
    method: 'POST',
    path: '/v1/moderations',
    key: 'required',
    kind: 'chat',
    operation: 'moderation',
    accepts: [json],
    open: chat.moderate,
  },
  {
    method: 'POST',
    path: '/v1/audio/speech',
    key: 'required',
    kind: 'chat',
    operation: 'speech',
    accepts: [json],
    open: chat.speak,
  },
  ...transcriptionRoutes(chat),
  { method: 'POST', path: '/v1/routes/explain', key: 'required', kind: 'models', accepts: [json], open: chat.explain },
  { method: 'GET', path: '/v1/usage', key: 'required', kind: 'models', accepts: [], open: auth.ownUsage },
  { method: 'GET', path: '/v1/key', key: 'required', kind: 'models', accepts: [], open: auth.ownKey },
  { method: 'GET', path: '/v1/providers', key: 'required', kind: 'models', accepts: [], open: chat.providers },
  ...imageRoutes(image),
  ...sessionRoutes({ chat, image }),
];

const imageRoutes = (image: Services['image']): readonly RelayedRoute[] => [
  {
    method: 'POST',
    path: '/v1/images/generations',
    key: 'required',
    kind: 'images',
    operation: 'image_generation',
    accepts: [json],
    open: image.generate,
  },
  {
    method: 'POST',
    path: '/v1/images/edits',
    key: 'required',
    kind: 'images',
    operation: 'image_edit',
    accepts: [json, form],
    open: image.edit,
  },
];

/** What the playground calls for the person who is signed in. */
const sessionRoutes = ({ chat, image }: Pick<Services, 'chat' | 'image'>): readonly RelayedRoute[] => {
  const common = { method: 'POST', key: 'session', accepts: [json] } as const;
  return [
    { ...common, path: '/session/chat/completions', kind: 'chat', operation: 'chat', open: chat.complete },
    {
      ...common,
      path: '/session/images/generations',
      kind: 'images',
      operation: 'image_generation',
      open: image.generate,
    },
  ];
};

/** APIs beside chat completions, with errors in their own form. */
const dialectRoutes = (chat: Services['chat']): readonly RelayedRoute[] => [
  {
    method: 'POST',
    path: '/v1/messages',
    key: 'required',
    kind: 'chat',
    operation: 'chat',
    accepts: [json],
    errors: messagesErrors,
    open: chat.messages,
  },
  {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    key: 'required',
    kind: 'models',
    accepts: [json],
    errors: messagesErrors,
    open: chat.countTokens,
  },
  {
    method: 'POST',
    path: '/v1/responses',
    key: 'required',
    kind: 'chat',
    operation: 'chat',
    accepts: [json],
    errors: responsesErrors,
    open: chat.responses,
  },
  {
    method: 'POST',
    path: '/v1/responses/compact',
    key: 'required',
    kind: 'chat',
    operation: 'chat',
    accepts: [json],
    errors: responsesErrors,
    open: chat.compactResponse,
  },
  ...storedResponseRoutes(chat),
];

/** Paths of `/v1/responses` that call no provider. */
const storedResponseRoutes = (chat: Services['chat']): readonly RelayedRoute[] => {
  const common = { key: 'required', kind: 'models', holdsContent: true, errors: responsesErrors } as const;
  const path = '/v1/responses/{id}';
  return [
    { ...common, method: 'POST', path: '/v1/responses/input_tokens', accepts: [json], open: chat.countResponseTokens },
    { ...common, method: 'GET', path: `${path}/input_items`, accepts: [], open: chat.listInputItems },
    { ...common, method: 'POST', path: `${path}/cancel`, accepts: [], open: chat.cancelResponse },
    { ...common, method: 'GET', path, accepts: [], open: chat.getResponse },
    { ...common, method: 'DELETE', path, accepts: [], open: chat.deleteResponse },
  ];
};

const transcriptionRoutes = (chat: Services['chat']): readonly RelayedRoute[] => [
  {
    method: 'POST',
    path: '/v1/audio/transcriptions',
    key: 'required',
    kind: 'chat',
    operation: 'transcription',
    accepts: [form],
    open: chat.transcribe,
  },
  {
    method: 'POST',
    path: '/v1/audio/translations',
    key: 'required',
    kind: 'chat',
    operation: 'translation',
    accepts: [form],
    open: chat.translate,
  },
];

/** Google's API. Its clients use either version; `/v1/models` answers in its form by a header. */
const geminiRoutes = ({ catalog, chat }: Pick<Services, 'catalog' | 'chat'>): readonly RelayedRoute[] => [
  {
    method: 'GET',
    path: '/v1beta/models',
    key: 'optional',
    kind: 'models',
    accepts: [],
    errors: geminiErrors,
    open: catalog.listGeminiModels,
  },
  {
    method: 'GET',
    path: '/v1beta/models/{id}',
    key: 'optional',
    kind: 'models',
    accepts: [],
    errors: geminiErrors,
    open: catalog.getGeminiModel,
  },
  ...generationRoutes('/v1beta', chat),
  ...generationRoutes('/v1', chat),
];

/** The end of an address names the method, after a colon. */
const generationRoutes = (version: '/v1' | '/v1beta', chat: Services['chat']): readonly RelayedRoute[] => [
  {
    method: 'POST',
    path: `${version}/models/{id}:countTokens`,
    key: 'required',
    kind: 'models',
    accepts: [json],
    errors: geminiErrors,
    open: chat.countGeminiTokens,
  },
  {
    method: 'POST',
    path: `${version}/models/{id}`,
    key: 'required',
    kind: 'chat',
    operation: 'chat',
    accepts: [json],
    errors: geminiErrors,
    open: chat.generateContent,
  },
];
