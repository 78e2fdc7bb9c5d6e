import type { GatewayError, McpServer } from '@tallyport/contracts';
import { durationBuckets, type Kit } from '@tallyport/service-kit';
import type { Tool, ToolCaller } from './tool.ts';

interface ToolEnd {
  tool: Pick<Tool, 'name' | 'registered'>;
  caller: ToolCaller;
  durationMs: number;
  error?: GatewayError | undefined;
}

export interface McpEvents {
  /** A request was refused before the MCP protocol handled it, for example because of its sender or its body. */
  refused(requestId: string | undefined, error: GatewayError): void;
  toolEnded(end: ToolEnd): void;
  /** A registered server returned its tools. */
  serverListed(server: McpServer, end: { durationMs: number; leftOut: number }): void;
  serverNotListed(server: McpServer, end: { durationMs: number; error: GatewayError }): void;
  saveFailed(cause: unknown): void;
  /** The MCP library reported an error. */
  protocolFailed(cause: unknown): void;
}

const registered = 'registered';

/** Counts each event of mcp-svc and logs it once. */
export function mcpEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>, tools: readonly string[]): McpEvents {
  const outcome = ['ok', 'error'] as const;
  // Names of registered tools would be too many series.
  const labels = { tool: [...tools, registered], outcome } as const;
  const refusals = metrics.counter({
    name: 'gateway_mcp_refused_total',
    help: 'MCP requests refused before they reached a tool.',
    labels: { status_class: ['4xx', '5xx'] },
  });
  const duration = metrics.histogram({
    name: 'gateway_mcp_tool_duration_seconds',
    help: 'Duration of tool calls.',
    labels,
    buckets: durationBuckets,
  });
  const lists = metrics.histogram({
    name: 'gateway_mcp_server_list_duration_seconds',
    help: 'Duration of listing the tools of a registered MCP server.',
    labels: { outcome },
    buckets: durationBuckets,
  });
  const leftOut = metrics.counter({
    name: 'gateway_mcp_server_tools_left_out_total',
    help: 'Tools of registered MCP servers that exceed the bounds, counted at each listing.',
  });
  const saves = metrics.counter({
    name: 'gateway_mcp_save_failures_total',
    help: 'Images that could not be saved in UPLOAD_DIR.',
  });

  return {
    refused(requestId, error) {
      refusals.with({ status_class: error.status < 500 ? '4xx' : '5xx' }).increment();
      log.info({ requestId, error }, 'MCP request refused');
    },
    toolEnded({ tool, caller: { requestId, principal }, durationMs, error }) {
      duration
        .with({ tool: tool.registered ? registered : tool.name, outcome: error ? 'error' : 'ok' })
        .observe(durationMs / 1000);
      const { accountId, keyId } = principal;
      const fields = { requestId, accountId, keyId, tool: tool.name, durationMs: Math.round(durationMs) };
      if (error) log.info({ ...fields, error }, 'tool call failed');
      else log.info(fields, 'tool called');
    },
    serverListed({ id: mcpServerId }, end) {
      lists.with({ outcome: 'ok' }).observe(end.durationMs / 1000);
      leftOut.with({}).increment(end.leftOut);
      if (end.leftOut > 0) log.warn({ mcpServerId, leftOut: end.leftOut }, 'tools of an MCP server are not offered');
    },
    serverNotListed({ id: mcpServerId }, { durationMs, error }) {
      lists.with({ outcome: 'error' }).observe(durationMs / 1000);
      log.warn({ mcpServerId, error }, 'the tools of an MCP server could not be listed');
    },
    saveFailed(cause) {
      saves.with({}).increment();
      log.error({ error: cause }, 'an image could not be saved in UPLOAD_DIR');
    },
    protocolFailed: (cause) => log.warn({ error: cause }, 'an MCP message could not be handled'),
  };
}
