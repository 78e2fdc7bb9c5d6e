import { createClient, type ExchangeHandler, inProcessLink, type Link, serve } from '@tallyport/bus';
import {
  authService,
  type Caller,
  catalogService,
  chatService,
  imageService,
  mcpService,
  type McpServer,
  type Principal,
  service,
} from '@tallyport/contracts';
import { exchangeFetch } from '@tallyport/http-exchange/testing';
import { createKit, createMetrics, readConfig, silentLog } from '@tallyport/service-kit';
import { openMemoryStore } from '@tallyport/store';
import { mcpConfig, mcpModule } from '../module.ts';

export const principal: Principal = { accountId: 'acc_1', keyId: 'key_1' };

/** The responses of the services behind the tools; tests set the ones they need. */
interface BackendHandlers {
  complete: ExchangeHandler;
  generate: ExchangeHandler;
  listModels: ExchangeHandler;
  /** True unless a test replaces it. */
  isOnlyAccount: () => boolean | Promise<boolean>;
  /** The MCP servers that an account registered; none unless a test replaces it. */
  mcpServers: (accountId: string) => readonly McpServer[] | Promise<readonly McpServer[]>;
  /** Returns no offers unless a test replaces it. */
  providers: ExchangeHandler;
}

export type OpenMcp = Awaited<ReturnType<typeof openMcp>>;

/** Starts mcp-svc alone: the test asks it as edge does, and provides the other services on the bus. */
export async function openMcp(environment: Record<string, string> = {}) {
  const link = inProcessLink();
  const behind = await serveBehind(link);
  const metrics = createMetrics({ defaults: false });
  const config = readConfig(mcpConfig, { environment });
  const mcp = mcpModule(createKit({ name: 'mcp-svc', config, log: silentLog(), metrics }), {
    link,
    store: openMemoryStore(),
  });
  await mcp.start?.();
  const tools = createClient(link, mcpService);
  const ask = exchangeFetch(tools.serve);
  let count = 0;

  /** Posts as edge does. */
  function post(body: unknown, { headers = {}, anonymous, signal, ...claims }: PostOptions = {}): Promise<Response> {
    const { scopes, limits = {}, traceparent, principal: caller = principal } = claims;
    const rights = { limits, ...(scopes && { scopes }) };
    return ask('/mcp', {
      method: 'POST',
      requestId: `req_${++count}`,
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
      ...(traceparent && { traceparent }),
      ...(!anonymous && { principal: caller, rights }),
      ...(signal && { signal }),
    });
  }

  async function callTool(name: string, input: unknown, options: PostOptions = {}) {
    const params = { name, arguments: input };
    const response = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, options);
    const { result } = (await response.json()) as { result: CalledTool };
    return result;
  }

  return {
    behind,
    /** As auth-svc announces a change. */
    announce: (accountId: string) => createClient(link, authService).accountChanged.publish({ accountId }),
    /** As edge does while a client waits for changes. */
    refresh: (accountId: string) => tools.refreshTools({ accountId }, { timeoutMs: 10_000 }),
    testServer: (of: { accountId: string; id: string }) => tools.testServer(of, { timeoutMs: 30_000 }),
    toolsChanged: tools.toolsChanged,
    ask,
    post,
    callTool,
    metrics: () => metrics.text(),
    async stop() {
      await mcp.stop?.(1000);
      await link.close();
    },
  };
}

const unset: ExchangeHandler = () => Promise.reject(new Error('The test has set no response.'));

async function serveBehind(link: Link): Promise<BackendHandlers> {
  const behind: BackendHandlers = {
    complete: unset,
    generate: unset,
    listModels: unset,
    isOnlyAccount: () => true,
    mcpServers: () => [],
    providers: async () => answering({ data: [] }),
  };
  await serveAuth(link, behind);
  const { complete, providers } = chatService.operations;
  await serve(link, service(chatService.name, { complete, providers }), {
    complete: (exchange) => behind.complete(exchange),
    providers: (exchange) => behind.providers(exchange),
  });
  const { generate } = imageService.operations;
  await serve(link, service(imageService.name, { generate }), { generate: (exchange) => behind.generate(exchange) });
  const { listModels } = catalogService.operations;
  await serve(link, service(catalogService.name, { listModels }), {
    listModels: (exchange) => behind.listModels(exchange),
  });
  return behind;
}

interface PostOptions {
  headers?: Record<string, string>;
  /** Names no caller. */
  anonymous?: boolean;
  scopes?: string[];
  limits?: Caller['limits'];
  /** Replaces the default `principal`. */
  principal?: Principal;
  traceparent?: string;
  signal?: AbortSignal;
}

export interface CalledTool {
  content: { type: string; text?: string; data?: string; mimeType?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/** A JSON response of a service. */
export const answering = (body: object): Awaited<ReturnType<ExchangeHandler>> => ({
  head: { status: 200, headers: { 'content-type': 'application/json' } },
  body: Buffer.from(JSON.stringify(body)),
});

const { isOnlyAccount, mcpServers } = authService.operations;

const serveAuth = (link: Link, behind: BackendHandlers) =>
  serve(link, service(authService.name, { isOnlyAccount, mcpServers }), {
    mcpServers: async ({ accountId }) => ({ servers: [...(await behind.mcpServers(accountId))] }),
    isOnlyAccount: async () => ({ only: await behind.isOnlyAccount() }),
  });
