import { type Link, type Listener, serve } from '@tallyport/bus';
import { mcpService } from '@tallyport/contracts';
import type { Kit, Part } from '@tallyport/service-kit';
import type { Store } from '@tallyport/store';
import type { McpConfig } from './config.ts';
import { mcpEvents } from './events.ts';
import { openFederation } from './federation/open-federation.ts';
import { createGateway } from './gateway.ts';
import { createProtocol } from './http/protocol.ts';
import { createBodyBudget } from './http/read-messages.ts';
import { rememberLists } from './http/remembered-lists.ts';
import { createScopeCheck } from './http/scopes.ts';
import { serveMcp } from './http/serve-mcp.ts';
import { openToolLimits } from './limits.ts';
import { onlyAccountCheck } from './preview/only-account.ts';
import { createPreviews } from './preview/previews.ts';
import { runTool } from './run-tool.ts';
import { allTools } from './tools/index.ts';
import { tracedTools } from './traced-tool.ts';

export { mcpConfig } from './config.ts';

interface McpTools {
  /** The bus link to the services that tools call. */
  link: Link;
  /** Holds the request counts, including those of tools. */
  store: Store;
}

/** The largest response that a tool accepts from another service; images in it are in base64. */
const mostAnswerBytes = 64 * 1024 ** 2;
/** The number of files one account may keep in UPLOAD_DIR. */
const maxUploads = 10_000;

const version = '0.1.0';
/** The supported revisions. The MCP library negotiates the one the client requested if it is among these. */
const protocolVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const description = { name: 'tallyport', version, transport: 'streamable-http', protocolVersions, status: 'ok' };

/** The MCP server. Edge passes `/mcp` on to it over the bus. */
export function mcpModule(kit: Kit<McpConfig>, { link, store }: McpTools): Part {
  const { config } = kit;
  const limits = openToolLimits({ store, metrics: kit.metrics, defaults: perMinuteOf(config) });
  const gateway = createGateway({
    link,
    limits,
    timeoutMs: config.MCP_CALL_TIMEOUT_MS,
    maxAnswerBytes: mostAnswerBytes,
  });
  const previews = createPreviews({
    folder: config.UPLOAD_DIR,
    isOnlyAccount: onlyAccountCheck(link),
    maxBytes: config.UPLOAD_MAX_BYTES_PER_ACCOUNT,
    maxFiles: maxUploads,
    onSaveFailed: (cause) => events.saveFailed(cause),
  });
  const tools = allTools(gateway, {
    imageModel: config.MCP_IMAGE_MODEL,
    previewModel: config.MCP_PREVIEW_MODEL,
    previews,
  });
  const events = mcpEvents(
    kit,
    tools.map(({ name }) => name),
  );
  const run = tracedTools((toolRun) => runTool(toolRun, events), kit.tracing);
  const registered = openFederation({ kit, link, store, limits, events, version });
  const protocol = rememberLists(createProtocol({ tools, registered, run, onError: events.protocolFailed, version }));
  const serveHttp = serveMcp({
    protocol,
    limits: { maxBytes: config.MCP_MAX_BODY_BYTES, budget: createBodyBudget(config.MCP_MAX_INFLIGHT_BYTES) },
    concurrent: { total: config.MCP_MAX_CONCURRENT, perAccount: config.MCP_MAX_CONCURRENT_PER_ACCOUNT },
    description,
    checkScopes: createScopeCheck(tools),
    events,
  });
  let listener: Listener | undefined;
  return {
    name: 'mcp-svc',
    async start() {
      registered.start();
      const { test: testServer, refresh: refreshTools } = registered;
      listener = await serve(link, mcpService, { serve: serveHttp, testServer, refreshTools });
    },
    async check() {
      return link.connected() ? { ok: true } : { ok: false, message: 'The bus is not connected.' };
    },
    async stop(deadlineMs) {
      await listener?.drain(deadlineMs);
      await protocol.close();
      await registered.stop();
      await limits.stop();
    },
  };
}

const perMinuteOf = (config: McpConfig) => ({
  chat: config.LIMIT_CHAT_PER_MINUTE,
  images: config.LIMIT_IMAGES_PER_MINUTE,
  models: config.LIMIT_MODELS_PER_MINUTE,
  // Edge counts the requests to /mcp. Further calls of a batch are counted here.
  mcp: config.LIMIT_MCP_PER_MINUTE,
});
