import type { Client, ExchangeRequest, ExchangeResponse } from '@tallyport/bus';
import {
  type authService,
  type BrowserSession,
  type catalogService,
  type chatService,
  type imageService,
  type RequestHead,
} from '@tallyport/contracts';
import type { PlaygroundKind } from '@tallyport/pages';
import type { z } from 'zod';
import { type CatalogueModel, catalogueModelSchema } from './catalogue-model.ts';
import { type ExplainedRoute, explainedRouteSchema } from './explained-route.ts';
import type { KeptModels } from './kept-models.ts';
import { type OfferStanding, standingsSchema } from './offer-standing.ts';
import { checkedAnswer, maxAnswerBytes, jsonOfAnswer } from './read-answer.ts';

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

export interface PlaygroundReply {
  body: unknown;
  headers: Readonly<Record<string, string>>;
  requestId: string;
}

export interface GatewayApiSources {
  auth: Pick<Client<(typeof authService)['operations']>, 'sessionCaller'>;
  catalog: Pick<Client<(typeof catalogService)['operations']>, 'listModels' | 'getModel'>;
  chat: Pick<Client<(typeof chatService)['operations']>, 'providers' | 'explain' | 'complete' | 'embed' | 'speak'>;
  image: Pick<Client<(typeof imageService)['operations']>, 'generate'>;
  keptModels: KeptModels;
}

const timeoutMs = 5_000;
/** Edge gives up a page that sends nothing for half a minute. */
const callMs = 25_000;

/** The API as the user of a browser may read it. The user is looked up once for each page. */
export function gatewayApiFor(
  { auth, catalog, chat, image, keptModels }: GatewayApiSources,
  { requestId, form, ...session }: BrowserSession & { requestId: string },
): GatewayApi {
  let principal: ReturnType<typeof findPrincipal> | undefined;
  const findPrincipal = async () => (await auth.sessionCaller(session, { timeoutMs, requestId })).caller.principal;

  const headOf = async (place: Partial<RequestHead>): Promise<RequestHead> => {
    const known = await (principal ??= findPrincipal());
    return { requestId, principal: known, timeoutMs, headers: {}, ...place };
  };

  async function read<Schema extends z.ZodType>(
    open: (request: ExchangeRequest) => Promise<ExchangeResponse>,
    schema: Schema,
    { sent, ...place }: { query?: string; path?: string; sent?: object } = {},
  ): Promise<z.output<Schema>> {
    const text = sent === undefined ? '' : JSON.stringify(sent);
    return checkedAnswer(schema, await open({ head: await headOf(place), body: Buffer.from(text) }));
  }

  return {
    listModels: () =>
      keptModels.read(async (headers) =>
        catalog.listModels({ head: await headOf({ query: 'include_unavailable=true', headers }), body: nothing }),
      ),
    findModel: (path) => read(catalog.getModel, catalogueModelSchema, { path }),
    async call(kind, request) {
      if (form === undefined) throw new TypeError('Only a form that was posted may cost money.');
      const { caller } = await auth.sessionCaller({ ...session, form }, { timeoutMs, requestId });
      const headers = { 'content-type': 'application/json' };
      const head = { requestId, principal: caller.principal, timeoutMs: callMs, headers };
      const open = { chat: chat.complete, images: image.generate, embeddings: chat.embed, speech: chat.speak }[kind];
      const answer = await open({ head, body: Buffer.from(JSON.stringify(request)) });
      const body = kind === 'speech' ? await readFile(answer) : await jsonOfAnswer(answer);
      return { requestId, headers: answer.head.headers, body };
    },
    listStandings: async () => (await read(chat.providers, standingsSchema)).data,
    async explain({ body, path }, assumptions) {
      const query = new URLSearchParams(assumptions);
      if (path !== undefined) query.set('path', path);
      return read(chat.explain, explainedRouteSchema, { query: query.toString(), sent: body });
    },
  };
}

const nothing = new Uint8Array(0);

const readFile = async ({ head, body }: ExchangeResponse): Promise<{ type: string; base64: string }> => ({
  type: head.headers['content-type'] ?? '',
  base64: Buffer.from(await body.bytes(maxAnswerBytes)).toString('base64'),
});
