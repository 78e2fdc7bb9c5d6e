import type { IncomingHttpHeaders } from 'node:http';
import {
  createMcpHandler,
  INVALID_PARAMS,
  isLegacyRequest,
  isSpecType,
  type ListToolsResult,
  type McpServerFactory,
  ProtocolError,
  Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { ToolRun } from '../run-tool.ts';
import type { ToolCaller, Tool, ToolResult } from '../tools/tool.ts';
import { type McpAnswer, mcpAnswer } from './answer.ts';
import type { RpcMessage } from './check-message.ts';

export interface McpRequest {
  messages: RpcMessage | readonly RpcMessage[];
  headers: IncomingHttpHeaders;
  caller: ToolCaller;
  signal: AbortSignal;
}

export interface ProtocolOptions {
  tools: readonly Tool[];
  run(run: ToolRun): Promise<ToolResult>;
  onError(cause: unknown): void;
  version: string;
}

export interface Protocol {
  answer(mcpRequest: McpRequest): Promise<McpAnswer>;
  close(): Promise<void>;
}

/** The list of tools is the same for every caller and changes only between versions. */
const cacheHints = { 'tools/list': { ttlMs: 300_000, cacheScope: 'public' } } as const;

const instructions =
  'Switchyard gives access to the models of many vendors through one account. list-models and list-image-models show the available models and their prices; chat and the generate tools cost money.';

/**
 * The only module that uses the MCP library. It creates one server object per request and keeps no state between
 * requests.
 */
export function createProtocol({ tools, run, onError, version }: ProtocolOptions): Protocol {
  const callers = new WeakMap<Request, ToolCaller>();
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const list = listOf(tools);

  const serverFor = (caller: ToolCaller | undefined): Server => {
    const server = new Server(
      { name: 'switchyard', title: 'Switchyard', version },
      { capabilities: { tools: {} }, instructions, cacheHints },
    );
    server.setRequestHandler('tools/list', () => list);
    // A batch counts as one running request, so its calls run one after the other.
    let turn: Promise<unknown> = Promise.resolve();
    server.setRequestHandler('tools/call', ({ params }, context) => {
      const tool = byName.get(params.name);
      if (!tool || !caller) throw new ProtocolError(INVALID_PARAMS, noTool(params.name));
      const onProgress = progressOf(context, onError);
      const toolRun = { tool, input: params.arguments, context: { caller, signal: context.mcpReq.signal }, onProgress };
      const result = turn.then(() => run(toolRun));
      turn = result.catch(() => {});
      return result;
    });
    return server;
  };

  const factory: McpServerFactory = ({ requestInfo }) => serverFor(requestInfo && callers.get(requestInfo));
  // Tool calls are streamed, so that the connection stays alive. Requests without a tool call, and clients that accept
  // no stream, get plain JSON.
  const common = { legacy: 'reject', onerror: onError } as const;
  const streaming = createMcpHandler(factory, { ...common, responseMode: 'sse' });
  const plain = createMcpHandler(factory, common);

  async function answerLegacy(request: Request, mcpRequest: McpRequest, streams: boolean): Promise<Response> {
    const server = serverFor(mcpRequest.caller);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams });
    await server.connect(transport);
    const close = (): void => void server.close().catch(onError);
    mcpRequest.signal.addEventListener('abort', close, { once: true });
    return transport.handleRequest(request, { parsedBody: mcpRequest.messages });
  }

  return {
    async answer(mcpRequest) {
      const streams = acceptsStream(mcpRequest.headers) && calls(mcpRequest.messages);
      const request = webRequest(mcpRequest);
      callers.set(request, mcpRequest.caller);
      const response = (await isLegacyRequest(request, mcpRequest.messages))
        ? await answerLegacy(request, mcpRequest, streams)
        : await (streams ? streaming : plain).fetch(request, { parsedBody: mcpRequest.messages });
      return mcpAnswer(response);
    },
    async close() {
      await Promise.all([streaming.close(), plain.close()]);
    },
  };
}

const noTool = (name: string): string =>
  `Unknown tool: ${name.length > 100 ? `${name.slice(0, 100)}…` : name}. tools/list lists all tools.`;

function listOf(tools: readonly Tool[]): ListToolsResult {
  const list: unknown = {
    tools: tools.map(({ name, title, description, annotations, inputSchema, outputSchema }) => ({
      name,
      title,
      description,
      annotations,
      inputSchema,
      ...(outputSchema && { outputSchema }),
    })),
  };
  if (isSpecType.ListToolsResult(list)) return list;
  throw new TypeError('A tool description is not valid MCP.');
}

const acceptsStream = ({ accept }: IncomingHttpHeaders): boolean => accept?.includes('text/event-stream') ?? false;

const calls = (messages: McpRequest['messages']): boolean =>
  [messages].flat().some(({ method }) => method === 'tools/call');

function progressOf({ mcpReq }: ServerContext, onError: (cause: unknown) => void): ToolRun['onProgress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, message) => {
    const params = { progressToken, progress, message };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(onError);
  };
}

/** The MCP library requires an Accept header with both response types, so one is set for clients such as curl. */
function webRequest({ headers, signal }: McpRequest): Request {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') copied.set(name, value);
  copied.set('accept', 'application/json, text/event-stream');
  return new Request('http://mcp.invalid/mcp', { method: 'POST', headers: copied, signal });
}
