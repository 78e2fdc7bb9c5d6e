import type { Tracing } from '@tallyport/service-kit';
import type { ToolRun } from './run-tool.ts';
import type { ToolResult } from './tool.ts';

type Run = (run: ToolRun) => Promise<ToolResult>;

/** Adds a span for each tool call, as the parent of the spans of the services it calls. */
export function tracedTools(run: Run, tracing: Tracing | undefined): Run {
  if (tracing === undefined) return run;
  return async (toolRun) => {
    const { tool, context } = toolRun;
    const { caller } = context;
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': tool.name };
    const span = tracing.begin(`tools/call ${tool.name}`, { kind: 'server', parent: caller.traceparent, attributes });
    const traced = { ...context, caller: { ...caller, traceparent: span.traceparent } };
    const result = await tracing.within(span, () => run({ ...toolRun, context: traced }));
    span.end({ error: result.isError ? 'tool_error' : undefined });
    return result;
  };
}
