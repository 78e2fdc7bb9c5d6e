import type { Client, ExchangeRequest, ExchangeResponse } from '@switchyard/bus';
import {
  type authService,
  type BrowserSession,
  type catalogService,
  type chatService,
  GatewayError,
} from '@switchyard/contracts';
import type { z } from 'zod';
import { type CatalogueModel, catalogueModelsSchema, catalogueModelSchema } from './catalogue-model.ts';
import { type ExplainedRoute, explainedRouteSchema } from './explained-route.ts';
import { type OfferStanding, standingsSchema } from './offer-standing.ts';

/** The endpoints of the gateway that cost nothing, with the rights of the user in the account. */
export interface GatewayApi {
  /** The models of `GET /v1/models`, and those that cannot be called here. */
  listModels(): Promise<readonly CatalogueModel[]>;
  /** One model by any of its names. Throws `model_not_found` with similar names. */
  findModel(name: string): Promise<CatalogueModel>;
  /** The state of every offer now: `GET /v1/providers`. */
  listStandings(): Promise<readonly OfferStanding[]>;
  /** The route of a request, with assumptions of `POST /v1/routes/explain` as its query. Throws as the request would. */
  explain(request: ExplainedRequest, assumptions: string): Promise<ExplainedRoute>;
}

export interface ExplainedRequest {
  body: object;
  /** The address of another API than chat completions. */
  path: string | undefined;
}

export interface GatewayApiSources {
  auth: Pick<Client<(typeof authService)['operations']>, 'sessionCaller'>;
  catalog: Pick<Client<(typeof catalogService)['operations']>, 'listModels' | 'getModel'>;
  chat: Pick<Client<(typeof chatService)['operations']>, 'providers' | 'explain'>;
}

const timeoutMs = 5_000;
const maxAnswerBytes = 32 * 1024 * 1024;

/** The API as the user of a browser may read it. The user is looked up once for each page. */
export function gatewayApiFor(
  { auth, catalog, chat }: GatewayApiSources,
  { requestId, ...session }: Omit<BrowserSession, 'form'> & { requestId: string },
): GatewayApi {
  let principal: ReturnType<typeof findPrincipal> | undefined;
  const findPrincipal = async () => (await auth.sessionCaller(session, { timeoutMs, requestId })).caller.principal;

  async function read<Schema extends z.ZodType>(
    open: (request: ExchangeRequest) => Promise<ExchangeResponse>,
    schema: Schema,
    { sent, ...place }: { query?: string; path?: string; sent?: object } = {},
  ): Promise<z.output<Schema>> {
    const head = { requestId, principal: await (principal ??= findPrincipal()), timeoutMs, headers: {}, ...place };
    const { body } = await open({ head, body: Buffer.from(sent === undefined ? '' : JSON.stringify(sent)) });
    const answer = schema.safeParse(JSON.parse(Buffer.from(await body.bytes(maxAnswerBytes)).toString()));
    if (!answer.success) throw unreadable(answer.error);
    return answer.data;
  }

  return {
    listModels: async () =>
      (await read(catalog.listModels, catalogueModelsSchema, { query: 'include_unavailable=true' })).data,
    findModel: (path) => read(catalog.getModel, catalogueModelSchema, { path }),
    listStandings: async () => (await read(chat.providers, standingsSchema)).data,
    async explain({ body, path }, assumptions) {
      const query = new URLSearchParams(assumptions);
      if (path !== undefined) query.set('path', path);
      return read(chat.explain, explainedRouteSchema, { query: query.toString(), sent: body });
    },
  };
}

const unreadable = (cause: unknown): GatewayError =>
  new GatewayError('internal_error', 'A service returned a response that cannot be read.', { cause });
