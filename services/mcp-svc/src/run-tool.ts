import { GatewayError, toGatewayError } from '@switchyard/contracts';
import type { McpEvents } from './events.ts';
import type { Tool, ToolContext, ToolResult } from './tools/tool.ts';

export interface ToolRun {
  tool: Tool;
  input: unknown;
  context: ToolContext;
  /** Told at once and every ten seconds that the call goes on; absent when nobody listens. */
  onProgress?: ((progress: number, message: string) => void) | undefined;
}

/** Clients take silence for the end after a minute, some after less. */
const progressEveryMs = 10_000;

/** Runs a tool to its result. Whatever goes wrong is told in the result, for the model that called to read. */
export async function runTool({ tool, input, context, onProgress }: ToolRun, events: McpEvents): Promise<ToolResult> {
  const startedAt = performance.now();
  const stopTelling = onProgress && tellProgress(tool.title, onProgress);
  const ended = (error?: GatewayError): void =>
    events.toolEnded({ tool: tool.name, caller: context.caller, durationMs: performance.now() - startedAt, error });
  try {
    const result = await tool.call(input, context);
    ended();
    return result;
  } catch (thrown) {
    const error = context.signal.aborted ? cancelled(thrown) : toGatewayError(thrown);
    ended(error);
    return failure(error);
  } finally {
    stopTelling?.();
  }
}

function tellProgress(title: string, onProgress: (progress: number, message: string) => void): () => void {
  const startedAt = performance.now();
  let count = 0;
  const tell = (): void => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    onProgress(++count, seconds === 0 ? `${title}: begun` : `${title}: ${seconds} s so far`);
  };
  tell();
  const timer = setInterval(tell, progressEveryMs);
  return () => clearInterval(timer);
}

const cancelled = (cause: unknown): GatewayError =>
  new GatewayError('client_closed_request', 'The call was cancelled.', { cause });

/** Not structuredContent: clients check that against the tool's output schema, errors or not. */
function failure({ code, message, retryAfterMs }: GatewayError): ToolResult {
  const retryAfter = retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000));
  const advice = retryAfter === undefined ? '' : ` Retry after ${retryAfter} s.`;
  const text = code === 'rate_limit_exceeded' ? `Rate limited. ${message}${advice}` : `${message}${advice}`;
  const told = { code, ...(retryAfter !== undefined && { retryAfter }) };
  return { content: [{ type: 'text', text }], isError: true, _meta: { 'switchyard/error': told } };
}
