import type { Kit } from '@switchyard/service-kit';

export interface McpEvents {
  refused(requestId: string | undefined): void;
}

/** What happens here, each counted and logged once. */
export function mcpEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): McpEvents {
  const requests = metrics.counter({
    name: 'gateway_mcp_requests_total',
    help: 'MCP requests and how they ended.',
    labels: { outcome: ['unavailable'] },
  });
  return {
    refused(requestId) {
      requests.with({ outcome: 'unavailable' }).increment();
      log.info({ requestId }, 'MCP request refused: tools are not built yet');
    },
  };
}
