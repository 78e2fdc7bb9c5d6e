import type { GatewayError } from '@switchyard/contracts';
import { durationBuckets, type Kit } from '@switchyard/service-kit';
import type { ToolCaller } from './tools/tool.ts';

export interface ToolEnd {
  /** The name of a tool of ours, never what a client typed. */
  tool: string;
  caller: ToolCaller;
  durationMs: number;
  error?: GatewayError | undefined;
}

export interface McpEvents {
  /** A request that never came to MCP itself: who sent it, how large or how broken it is. */
  refused(requestId: string | undefined, error: GatewayError): void;
  toolEnded(end: ToolEnd): void;
  saveFailed(cause: unknown): void;
  /** The protocol's library met something it could not handle. */
  trouble(cause: unknown): void;
}

/** What happens here, each counted and logged once. */
export function mcpEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>, tools: readonly string[]): McpEvents {
  const labels = { tool: tools, outcome: ['ok', 'error'] } as const;
  const refusals = metrics.counter({
    name: 'gateway_mcp_refused_total',
    help: 'MCP requests refused before they came to a tool.',
    labels: { status_class: ['4xx', '5xx'] },
  });
  const duration = metrics.histogram({
    name: 'gateway_mcp_tool_duration_seconds',
    help: 'Calls of tools from beginning to end.',
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
    trouble: (cause) => log.warn({ error: cause }, 'MCP message could not be handled'),
  };
}
