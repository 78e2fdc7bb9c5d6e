import type { GatewayError } from '@switchyard/contracts';
import { durationBuckets, type Kit } from '@switchyard/service-kit';
import type { ToolCaller } from './tools/tool.ts';

export interface ToolEnd {
  /** The name of an existing tool, never text sent by a client. */
  tool: string;
  caller: ToolCaller;
  durationMs: number;
  error?: GatewayError | undefined;
}

export interface McpEvents {
  /** A request was refused before the MCP protocol handled it, for example because of its sender or its body. */
  refused(requestId: string | undefined, error: GatewayError): void;
  toolEnded(end: ToolEnd): void;
  saveFailed(cause: unknown): void;
  /** The MCP library reported an error. */
  protocolFailed(cause: unknown): void;
}

/** Counts each event of mcp-svc and logs it once. */
export function mcpEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>, tools: readonly string[]): McpEvents {
  const labels = { tool: tools, outcome: ['ok', 'error'] } as const;
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
      duration.with({ tool, outcome: error ? 'error' : 'ok' }).observe(durationMs / 1000);
      const fields = { requestId, accountId: principal.accountId, tool, durationMs: Math.round(durationMs) };
      if (error) log.info({ ...fields, error }, 'tool call failed');
      else log.info(fields, 'tool called');
    },
    saveFailed(cause) {
      saves.with({}).increment();
      log.error({ error: cause }, 'an image could not be saved in UPLOAD_DIR');
    },
    protocolFailed: (cause) => log.warn({ error: cause }, 'an MCP message could not be handled'),
  };
}
