import { GatewayError, toGatewayError } from '@switchyard/contracts';
import type { McpEvents } from './events.ts';
import { failureText } from './failure-text.ts';
import type { Tool, ToolContext, ToolResult } from './tools/tool.ts';

export interface ToolRun {
  tool: Tool;
  input: unknown;
  context: ToolContext;
  /** Called at once and then every ten seconds while the call runs; absent if the client requested no progress. */
  onProgress?: ((progress: number, message: string) => void) | undefined;
}

/** Clients give up after a minute of silence, some earlier. */
const progressEveryMs = 10_000;

/** Runs a tool. Errors are reported in the result, for the calling model to read; never rejects. */
export async function runTool({ tool, input, context, onProgress }: ToolRun, events: McpEvents): Promise<ToolResult> {
  const startedAt = performance.now();
  const stopProgress = onProgress && reportProgress(tool.title, onProgress);
  const ended = (error?: GatewayError): void =>
    events.toolEnded({ tool: tool.name, caller: context.caller, durationMs: performance.now() - startedAt, error });
  try {
    const result = await tool.call(input, context);
    ended();
    return result;
  } catch (thrown) {
    const error = context.signal.aborted ? cancelled(thrown) : toGatewayError(thrown);
    ended(error);
    return failure(error, tool);
  } finally {
    stopProgress?.();
  }
}

function reportProgress(title: string, onProgress: (progress: number, message: string) => void): () => void {
  const startedAt = performance.now();
  let count = 0;
  const report = (): void => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    onProgress(++count, seconds === 0 ? `${title}: started` : `${title}: running for ${seconds} s`);
  };
  report();
  const timer = setInterval(report, progressEveryMs);
  return () => clearInterval(timer);
}

const cancelled = (cause: unknown): GatewayError =>
  new GatewayError('client_closed_request', 'The call was cancelled.', { cause });

/**
 * Errors are not put into structuredContent, because clients validate it against the tool's output schema even for
 * errors.
 */
function failure(error: GatewayError, tool: Tool): ToolResult {
  const { code, retryAfterMs } = error;
  const retryAfter = retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000));
  const details = { code, ...(retryAfter !== undefined && { retryAfter }) };
  const text = failureText(error, { modelsFrom: tool.modelsFrom, retryAfter });
  return { content: [{ type: 'text', text }], isError: true, _meta: { 'switchyard/error': details } };
}
