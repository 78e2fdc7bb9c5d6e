import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { ToolCaller } from '../tool.ts';
import { type McpAnswer, mcpAnswer } from './answer.ts';
import type { RpcMessage } from './check-message.ts';
import { createToolServers, type ToolServerOptions } from './tool-server.ts';

export interface McpRequest {
  messages: RpcMessage | readonly RpcMessage[];
  headers: Readonly<Record<string, string>>;
  caller: ToolCaller;
  signal: AbortSignal;
}

export interface Protocol {
  answer(mcpRequest: McpRequest): Promise<McpAnswer>;
  close(): Promise<void>;
}

/**
 * Connects the MCP library's server to requests. It creates one server object per request and keeps no state between
 * requests.
 */
export function createProtocol(options: ToolServerOptions): Protocol {
  const { onError } = options;
  const callers = new WeakMap<Request, ToolCaller>();
  const serverFor = createToolServers(options);
  const factory: McpServerFactory = ({ requestInfo }) => serverFor(requestInfo && callers.get(requestInfo), 'current');
  // Tool calls are streamed, so that the connection stays alive. Requests without a tool call, and clients that accept
  // no stream, get plain JSON.
  const common = { legacy: 'reject', onerror: onError } as const;
  const streaming = createMcpHandler(factory, { ...common, responseMode: 'sse' });
  const plain = createMcpHandler(factory, common);

  async function answerLegacy(request: Request, mcpRequest: McpRequest, streams: boolean): Promise<Response> {
    const { caller, messages, signal } = mcpRequest;
    const server = serverFor(caller, 'older');
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams });
    await server.connect(transport);
    // A listener is not called if the client has left already.
    signal.throwIfAborted();
    const left = Promise.withResolvers<never>();
    const close = (): void => {
      server.close().catch(onError);
      left.reject(signal.reason);
    };
    signal.addEventListener('abort', close, { once: true });
    // The transport's JSON answer stays pending when the server is closed.
    return Promise.race([transport.handleRequest(request, { parsedBody: messages }), left.promise]);
  }

  return {
    async answer(mcpRequest) {
      const streams = acceptsStream(mcpRequest.headers) && callsTool(mcpRequest.messages);
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

const acceptsStream = ({ accept }: McpRequest['headers']): boolean => accept?.includes('text/event-stream') ?? false;

export const callsTool = (messages: McpRequest['messages']): boolean =>
  [messages].flat().some(({ method }) => method === 'tools/call');

/** The MCP library requires an Accept header with both response types, so one is set for clients such as curl. */
function webRequest({ headers, signal }: McpRequest): Request {
  const copied = new Headers(headers);
  copied.set('accept', 'application/json, text/event-stream');
  return new Request('http://mcp.invalid/mcp', { method: 'POST', headers: copied, signal });
}
