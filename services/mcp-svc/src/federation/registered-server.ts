import { setImmediate } from 'node:timers/promises';
import { GatewayError, type McpServer } from '@tallyport/contracts';
import type { ToolContext, ToolResult } from '../tool.ts';
import { isServerDown, serverFailure } from './failure.ts';
import { createListedTools, type ListedTools, type ListEvents } from './listed-tools.ts';
import type { FederatedTool } from './offered-tools.ts';
import { readResult } from './read-result.ts';
import type { RedactSecrets } from './redact.ts';
import { createRest } from './rest.ts';
import type { ServerAccess } from './server-access.ts';

/** A registered server in this replica. */
export interface RegisteredServer extends ListedTools {
  readonly server: McpServer;
  /** Throws GatewayError, or the signal's reason. */
  call(tool: FederatedTool, input: unknown, context: ToolContext): Promise<ToolResult>;
}

interface RegisteredServerOptions {
  server: McpServer;
  access: ServerAccess;
  callTimeoutMs: number;
  events: ListEvents;
  now(): number;
}

export function createRegisteredServer(options: RegisteredServerOptions): RegisteredServer {
  const { server, access, callTimeoutMs, now } = options;
  const { name } = server;
  const { redact } = access;
  const rest = createRest(now);

  return {
    server,
    ...createListedTools(options),
    async call(tool, input, { signal, onProgress }) {
      if (rest.left() > 0) throw resting(name, rest.left());
      const deadline = AbortSignal.timeout(callTimeoutMs);
      try {
        const request = { name: tool.name, arguments: asArguments(input) };
        const toolDefinition = { name: tool.name, inputSchema: { ...tool.inputSchema, type: 'object' as const } };
        const onprogress = onProgress && redacted(onProgress, redact);
        const shared = { timeout: callTimeoutMs, toolDefinition, ...(onprogress && { onprogress }) };
        const result = await access.use(
          (client, either) => client.callTool(request, { ...shared, signal: either }),
          AbortSignal.any([signal, deadline]),
        );
        rest.succeeded();
        // To receive, to read and to write a large result are turns of their own.
        await setImmediate();
        const read = readResult(result, { name, redact });
        await setImmediate();
        return read;
      } catch (thrown) {
        signal.throwIfAborted();
        if (!deadline.aborted && isServerDown(thrown)) rest.failed();
        throw serverFailure(thrown, { name, redact });
      }
    },
  };
}

type OnProgress = NonNullable<ToolContext['onProgress']>;

const redacted =
  (onProgress: OnProgress, redact: RedactSecrets): OnProgress =>
  ({ progress, total, message }) =>
    onProgress({ progress, total, message: message === undefined ? undefined : redact(message) });

/** Checked where the message was read: arguments are an object. */
const asArguments = (input: unknown): Record<string, unknown> =>
  typeof input === 'object' && input !== null ? { ...input } : {};

const resting = (name: string, retryAfterMs: number): GatewayError =>
  new GatewayError('unavailable', `The MCP server ${name} does not respond at present.`, { retryAfterMs });
