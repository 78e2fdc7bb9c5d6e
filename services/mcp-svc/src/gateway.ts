import { type Client, createClient, type ExchangeRequest, type ExchangeResponse, type Link } from '@tallyport/bus';
import {
  catalogService,
  chatService,
  endUserHeader,
  GatewayError,
  imageService,
  type RequestKind,
} from '@tallyport/contracts';
import type { ToolLimits } from './limits.ts';
import type { ToolContext } from './tool.ts';

/** The services behind the HTTP API, as tools call them on behalf of their caller. */
export interface Gateway {
  /** `POST /v1/chat/completions`. */
  chat(body: object, context: ToolContext): Promise<unknown>;
  /** `POST /v1/images/generations`. */
  generateImage(body: object, context: ToolContext): Promise<unknown>;
  /** `GET /v1/models`. */
  listModels(query: Readonly<Record<string, boolean>>, context: ToolContext): Promise<unknown>;
  /** The same as `listModels`, for a call that needs the list for something else: only that call is counted. */
  findModels(query: Readonly<Record<string, boolean>>, context: ToolContext): Promise<unknown>;
  /** `GET /v1/providers`. Not counted against the caller's limits, because it accompanies another call. */
  listOffers(context: ToolContext): Promise<unknown>;
}

interface GatewayOptions {
  link: Link;
  limits: Pick<ToolLimits, 'count'>;
  /** The deadline of one call. */
  timeoutMs: number;
  maxAnswerBytes: number;
}

export function createGateway({ link, limits, timeoutMs, maxAnswerBytes }: GatewayOptions): Gateway {
  const chat: Client<(typeof chatService)['operations']> = createClient(link, chatService);
  const image: Client<(typeof imageService)['operations']> = createClient(link, imageService);
  const catalog: Client<(typeof catalogService)['operations']> = createClient(link, catalogService);

  async function send(open: Open, serviceCall: ServiceCall, { caller, signal }: ToolContext): Promise<unknown> {
    const { requestId, principal, traceparent, endUser } = caller;
    const { kind, body, query } = serviceCall;
    if (kind !== undefined) await limits.count(caller, kind);
    const head = {
      requestId,
      principal,
      timeoutMs,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(endUser !== undefined && { [endUserHeader]: endUser }),
      },
      ...(traceparent && { traceparent }),
      ...(query && { query }),
    };
    const sent = body === undefined ? new Uint8Array(0) : Buffer.from(JSON.stringify(body));
    const response = await open({ head, body: sent, signal });
    return readAnswer(response, maxAnswerBytes);
  }

  return {
    chat: (body, context) => send(chat.complete, { kind: 'chat', body }, context),
    generateImage: (body, context) => send(image.generate, { kind: 'images', body }, context),
    listModels: (query, context) => send(catalog.listModels, { kind: 'models', query: queryOf(query) }, context),
    findModels: (query, context) => send(catalog.listModels, { query: queryOf(query) }, context),
    listOffers: (context) => send(chat.providers, {}, context),
  };
}

type Open = (request: ExchangeRequest) => Promise<ExchangeResponse>;

interface ServiceCall {
  /** The kind of request to count; not counted if absent. */
  kind?: RequestKind;
  body?: object;
  query?: string;
}

const queryOf = (query: Readonly<Record<string, boolean>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

async function readAnswer({ head, body }: ExchangeResponse, limit: number): Promise<unknown> {
  const bytes = await body.bytes(limit);
  if (head.status === 200) return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  throw new GatewayError('internal_error', 'An internal service returned an unexpected status. Try again.', {
    detail: `status ${head.status}`,
  });
}
