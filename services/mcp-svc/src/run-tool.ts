import { GatewayError, toGatewayError } from '@tallyport/contracts';
import { repeat } from '@tallyport/service-kit';
import type { McpEvents } from './events.ts';
import { failureText } from './failure-text.ts';
import type { Progress, Tool, ToolContext, ToolResult } from './tool.ts';

export interface ToolRun {
  tool: Tool;
  input: unknown;
  context: ToolContext;
  /** Absent if the client requested no progress. Called at once and every ten seconds, or as the tool itself reports. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Clients give up after a minute of silence, some earlier. */
const progressEveryMs = 10_000;

/** Runs a tool. Errors are reported in the result, for the calling model to read; never rejects. */
export async function runTool({ tool, input, context, onProgress }: ToolRun, events: McpEvents): Promise<ToolResult> {
  const startedAt = performance.now();
  const own = tool.reportsProgress === true;
  const stopProgress = onProgress && !own ? reportProgress(tool.title, onProgress, events.protocolFailed) : undefined;
  const ended = (error?: GatewayError): void =>
    events.toolEnded({ tool, caller: context.caller, durationMs: performance.now() - startedAt, error });
  try {
    const result = await tool.call(input, own && onProgress ? { ...context, onProgress: rising(onProgress) } : context);
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

function reportProgress(
  title: string,
  onProgress: (progress: Progress) => void,
  onFailed: McpEvents['protocolFailed'],
): () => void {
  const startedAt = performance.now();
  let count = 0;
  const report = (): void => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const message = seconds === 0 ? `${title}: started` : `${title}: running for ${seconds} s`;
    onProgress({ progress: ++count, message });
  };
  report();
  return repeat({ everyMs: progressEveryMs, onFailed }, report);
}

/** The protocol requires that progress increases. */
function rising(onProgress: (progress: Progress) => void): (progress: Progress) => void {
  let last = -Infinity;
  return (report) => {
    if (!(report.progress > last)) return;
    last = report.progress;
    onProgress(report);
  };
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
  return { content: [{ type: 'text', text }], isError: true, _meta: { 'tallyport/error': details } };
}
