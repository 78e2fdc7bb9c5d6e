import { type ExchangeHandler, inProcessLink, type Link, serve } from '@switchyard/bus';
import {
  type Caller,
  catalogService,
  chatService,
  imageService,
  internalTokenHeader,
  type Principal,
  signInternalToken,
} from '@switchyard/contracts';
import { createKit, createMetrics, readConfig, silentLog } from '@switchyard/service-kit';
import { openMemoryStore } from '@switchyard/store';
import { mcpConfig, mcpModule } from '../module.ts';

export const secret = 'a-secret-of-the-tests-with-32-characters';
export const principal: Principal = { accountId: 'acc_1', keyId: 'key_1' };

/** What the services behind the tools answer; tests set what they need. */
export interface Behind {
  complete: ExchangeHandler;
  generate: ExchangeHandler;
  listModels: ExchangeHandler;
}

export type OpenMcp = Awaited<ReturnType<typeof openMcp>>;

/** mcp-svc on its own: edge's word is signed here, and what is behind the bus is the test's. */
export async function openMcp(environment: Record<string, string> = {}) {
  const link = inProcessLink();
  const behind = await serveBehind(link);
  const metrics = createMetrics({ defaults: false });
  const config = readConfig(mcpConfig, { environment: { MCP_PORT: '0', INTERNAL_SECRET: secret, ...environment } });
  const mcp = mcpModule(createKit({ name: 'mcp-svc', config, log: silentLog(), metrics }), {
    link,
    store: openMemoryStore(),
  });
  await mcp.start?.();
  let count = 0;

  /** As edge hands it on; `token: null` is a stranger on the inner network. */
  function post(body: unknown, { headers = {}, token, signal, ...claims }: Posting = {}): Promise<Response> {
    const requestId = `req_${++count}`;
    const { scopes, limits = {}, signedAt } = claims;
    const bearer = { principal, limits, requestId, ...(scopes && { scopes }) };
    const signed = token ?? signInternalToken(bearer, secret, signedAt);
    return fetch(`${mcp.address()}/mcp`, {
      method: 'POST',
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        'x-request-id': requestId,
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'gateway.example',
        ...(token !== null && { [internalTokenHeader]: signed }),
        ...headers,
      },
      ...(signal && { signal }),
    });
  }

  async function callTool(name: string, input: unknown, options: Posting = {}) {
    const params = { name, arguments: input };
    const response = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, options);
    const { result } = (await response.json()) as { result: CalledTool };
    return result;
  }

  return {
    behind,
    post,
    callTool,
    address: () => mcp.address(),
    metrics: () => metrics.text(),
    async stop() {
      await mcp.stop?.(1000);
      await link.close();
    },
  };
}

async function serveBehind(link: Link): Promise<Behind> {
  const unset: ExchangeHandler = () => Promise.reject(new Error('The test has not said what to answer.'));
  const notHere = () => Promise.reject(new Error('not here'));
  const behind: Behind = { complete: unset, generate: unset, listModels: unset };
  await serve(link, chatService, { complete: (asked) => behind.complete(asked), explain: unset, providers: unset });
  await serve(link, imageService, { generate: (asked) => behind.generate(asked), edit: unset });
  await serve(link, catalogService, {
    listModels: (asked) => behind.listModels(asked),
    getModel: unset,
    snapshot: notHere,
    setOverride: notHere,
    removeOverride: notHere,
    listOverrides: notHere,
  });
  return behind;
}

export interface Posting {
  headers?: Record<string, string>;
  token?: string | null;
  scopes?: string[];
  limits?: Caller['limits'];
  /** By the clock of edge; now, where nothing is said. */
  signedAt?: number;
  signal?: AbortSignal;
}

export interface CalledTool {
  content: { type: string; text?: string; data?: string; mimeType?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/** A service's plain answer. */
export const answering = (body: object): Awaited<ReturnType<ExchangeHandler>> => ({
  head: { status: 200, headers: { 'content-type': 'application/json' } },
  body: Buffer.from(JSON.stringify(body)),
});
