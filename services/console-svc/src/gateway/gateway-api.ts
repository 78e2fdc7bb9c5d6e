import type { Client, ExchangeRequest, ExchangeResponse } from '@tallyport/bus';
import {
  type authService,
  type BrowserSession,
  type catalogService,
  type chatService,
  GatewayError,
  type imageService,
} from '@tallyport/contracts';
import type { z } from 'zod';
import { type CatalogueModel, catalogueModelsSchema, catalogueModelSchema } from './catalogue-model.ts';
import { type ExplainedRoute, explainedRouteSchema } from './explained-route.ts';
import { type OfferStanding, standingsSchema } from './offer-standing.ts';

/** The endpoints of the gateway, with the rights of the user in the account. */
export interface GatewayApi {
  /** The models of `GET /v1/models`, and those that cannot be called here. */
  listModels(): Promise<readonly CatalogueModel[]>;
  /** One model by any of its names. Throws `model_not_found` with similar names. */
  findModel(name: string): Promise<CatalogueModel>;
  /** The state of every offer now: `GET /v1/providers`. */
  listStandings(): Promise<readonly OfferStanding[]>;
  /** The route of a request, with assumptions of `POST /v1/routes/explain` as its query. Throws as the request would. */
  explain(request: ExplainedRequest, assumptions: string): Promise<ExplainedRoute>;
  /** Sends a request that costs money, for the form that was posted. Resolves with the whole answer. */
  call(kind: PlaygroundKind, request: object): Promise<PlaygroundReply>;
}

export interface ExplainedRequest {
  body: object;
  /** The address of another API than chat completions. */
  path: string | undefined;
}

export type PlaygroundKind = 'chat' | 'images';

export interface PlaygroundReply {
  body: unknown;
  headers: Readonly<Record<string, string>>;
  requestId: string;
}

export interface GatewayApiSources {
  auth: Pick<Client<(typeof authService)['operations']>, 'sessionCaller'>;
  catalog: Pick<Client<(typeof catalogService)['operations']>, 'listModels' | 'getModel'>;
  chat: Pick<Client<(typeof chatService)['operations']>, 'providers' | 'explain' | 'complete'>;
  image: Pick<Client<(typeof imageService)['operations']>, 'generate'>;
}

const timeoutMs = 5_000;
/** Edge gives up a page that sends nothing for half a minute. */
const callMs = 25_000;
const maxAnswerBytes = 32 * 1024 * 1024;

/** The API as the user of a browser may read it. The user is looked up once for each page. */
export function gatewayApiFor(
  { auth, catalog, chat, image }: GatewayApiSources,
  { requestId, form, ...session }: BrowserSession & { requestId: string },
): GatewayApi {
  let principal: ReturnType<typeof findPrincipal> | undefined;
  const findPrincipal = async () => (await auth.sessionCaller(session, { timeoutMs, requestId })).caller.principal;

  async function read<Schema extends z.ZodType>(
    open: (request: ExchangeRequest) => Promise<ExchangeResponse>,
    schema: Schema,
    { sent, ...place }: { query?: string; path?: string; sent?: object } = {},
  ): Promise<z.output<Schema>> {
    const head = { requestId, principal: await (principal ??= findPrincipal()), timeoutMs, headers: {}, ...place };
    const text = sent === undefined ? '' : JSON.stringify(sent);
    const answer = schema.safeParse(await readJsonBody(await open({ head, body: Buffer.from(text) })));
    if (!answer.success) throw unreadable(answer.error);
    return answer.data;
  }

  return {
    listModels: async () =>
      (await read(catalog.listModels, catalogueModelsSchema, { query: 'include_unavailable=true' })).data,
    findModel: (path) => read(catalog.getModel, catalogueModelSchema, { path }),
    async call(kind, request) {
      if (form === undefined) throw new TypeError('Only a form that was posted may cost money.');
      const { caller } = await auth.sessionCaller({ ...session, form }, { timeoutMs, requestId });
      const headers = { 'content-type': 'application/json' };
      const head = { requestId, principal: caller.principal, timeoutMs: callMs, headers };
      const open = kind === 'chat' ? chat.complete : image.generate;
      const answer = await open({ head, body: Buffer.from(JSON.stringify(request)) });
      return { requestId, headers: answer.head.headers, body: await readJsonBody(answer) };
    },
    listStandings: async () => (await read(chat.providers, standingsSchema)).data,
    async explain({ body, path }, assumptions) {
      const query = new URLSearchParams(assumptions);
      if (path !== undefined) query.set('path', path);
      return read(chat.explain, explainedRouteSchema, { query: query.toString(), sent: body });
    },
  };
}

const readJsonBody = async ({ body }: ExchangeResponse): Promise<unknown> =>
  JSON.parse(Buffer.from(await body.bytes(maxAnswerBytes)).toString());

const unreadable = (cause: unknown): GatewayError =>
  new GatewayError('internal_error', 'A service returned a response that cannot be read.', { cause });
