import { type Client, createClient, type ExchangeRequest, type ExchangeResponse, type Link } from '@switchyard/bus';
import { catalogService, chatService, GatewayError, imageService, type RequestKind } from '@switchyard/contracts';
import type { ToolLimits } from './limits.ts';
import type { ToolContext } from './tools/tool.ts';

/** The rest of Switchyard as tools use it: the same services as the HTTP API, in the name of the same caller. */
export interface Gateway {
  /** `POST /v1/chat/completions`. */
  chat(body: object, context: ToolContext): Promise<unknown>;
  /** `POST /v1/images/generations`. */
  generateImage(body: object, context: ToolContext): Promise<unknown>;
  /** `GET /v1/models`. */
  listModels(query: Readonly<Record<string, boolean>>, context: ToolContext): Promise<unknown>;
}

export interface GatewayOptions {
  link: Link;
  limits: Pick<ToolLimits, 'count'>;
  /** The longest time one call may take. */
  timeoutMs: number;
  maxAnswerBytes: number;
}

export function createGateway({ link, limits, timeoutMs, maxAnswerBytes }: GatewayOptions): Gateway {
  const chat: Client<(typeof chatService)['operations']> = createClient(link, chatService);
  const image: Client<(typeof imageService)['operations']> = createClient(link, imageService);
  const catalog: Client<(typeof catalogService)['operations']> = createClient(link, catalogService);

  async function ask(open: Open, question: Question, { caller, signal }: ToolContext): Promise<unknown> {
    const { requestId, principal, traceparent } = caller;
    const { kind, body, query } = question;
    await limits.count(caller, kind);
    const head = {
      requestId,
      principal,
      timeoutMs,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(traceparent && { traceparent }),
      ...(query && { query }),
    };
    const sent = body === undefined ? new Uint8Array(0) : Buffer.from(JSON.stringify(body));
    const answered = await open({ head, body: sent, signal });
    return readAnswer(answered, maxAnswerBytes);
  }

  return {
    chat: (body, context) => ask(chat.complete, { kind: 'chat', body }, context),
    generateImage: (body, context) => ask(image.generate, { kind: 'images', body }, context),
    listModels: (query, context) => ask(catalog.listModels, { kind: 'models', query: queryOf(query) }, context),
  };
}

type Open = (request: ExchangeRequest) => Promise<ExchangeResponse>;

interface Question {
  /** What it counts as. */
  kind: RequestKind;
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
  throw new GatewayError('internal_error', 'A service answered in an unexpected way. Try again.', {
    detail: `status ${head.status}`,
  });
}
