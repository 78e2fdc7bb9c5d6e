import type { Tracing } from '@tallyport/service-kit';
import type { ToolLimits } from '../limits.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { readableText } from './bounded-value.ts';
import type { FederatedTool } from './offered-tools.ts';
import type { RegisteredServer } from './registered-server.ts';

interface RegisteredToolTools {
  limits: Pick<ToolLimits, 'count'>;
  tracing: Tracing | undefined;
}

const progressMessageLength = 500;
/** What a registered tool costs or changes is not known. */
const scope = 'mcp:tools';

/** Makes a tool of a registered server callable like one of our own. */
export function registeredTool(
  registered: RegisteredServer,
  offered: FederatedTool,
  { limits, tracing }: RegisteredToolTools,
): Tool {
  const { offeredAs: name, title, description, annotations, inputSchema, outputSchema } = offered;
  return {
    name,
    title,
    description,
    annotations,
    inputSchema,
    outputSchema,
    scope,
    registered: true,
    reportsProgress: true,
    async call(input, context) {
      if (context.isFurther === true) await limits.count(context.caller, 'mcp');
      const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': name };
      const parent = context.caller.traceparent;
      const span = tracing?.begin('registered MCP server', { kind: 'client', parent, attributes });
      try {
        const result = await registered.call(offered, input, withBoundedProgress(context));
        span?.end({ error: result.isError ? 'tool_error' : undefined });
        return result;
      } catch (error) {
        span?.end({ error: 'failed' });
        throw error;
      }
    },
  };
}

/** Stands for a tool whose server is not available: each call fails with this error. */
export const unavailableTool = (name: string, error: unknown): Tool => ({
  name,
  title: name,
  description: '',
  annotations: {},
  inputSchema: {},
  outputSchema: undefined,
  scope,
  registered: true,
  reportsProgress: true,
  call: () => Promise.reject(error),
});

function withBoundedProgress({ onProgress, ...context }: ToolContext): ToolContext {
  if (onProgress === undefined) return context;
  return {
    ...context,
    onProgress: ({ progress, total, message }) =>
      onProgress({
        progress,
        total,
        message: message === undefined ? undefined : readableText(message, progressMessageLength),
      }),
  };
}
