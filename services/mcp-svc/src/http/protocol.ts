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
import type { RpcMessage } from './read-messages.ts';

export interface McpQuestion {
  messages: RpcMessage | readonly RpcMessage[];
  headers: IncomingHttpHeaders;
  caller: ToolCaller;
  signal: AbortSignal;
}

export interface ProtocolOptions {
  tools: readonly Tool[];
  run(run: ToolRun): Promise<ToolResult>;
  onTrouble(cause: unknown): void;
  version: string;
}

export interface Protocol {
  answer(question: McpQuestion): Promise<McpAnswer>;
  close(): Promise<void>;
}

/** The list of tools is the same for everyone and changes with a version of ours only. */
const cacheHints = { 'tools/list': { ttlMs: 300_000, cacheScope: 'public' } } as const;

const instructions =
  'Switchyard reaches the models of many makers through one account. list-models and list-image-models tell what there is and what it costs; chat and the generate tools cost money.';

/** Everything that knows the MCP library: one server object per request, nothing kept between requests. */
export function createProtocol({ tools, run, onTrouble, version }: ProtocolOptions): Protocol {
  const callers = new WeakMap<Request, ToolCaller>();
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const list = listOf(tools);

  const serverFor = (caller: ToolCaller | undefined): Server => {
    const server = new Server(
      { name: 'switchyard', title: 'Switchyard', version },
      { capabilities: { tools: {} }, instructions, cacheHints },
    );
    server.setRequestHandler('tools/list', () => list);
    // To the account's limits a batch is one request running: its calls take turns.
    let turn: Promise<unknown> = Promise.resolve();
    server.setRequestHandler('tools/call', ({ params }, context) => {
      const tool = byName.get(params.name);
      if (!tool || !caller) throw new ProtocolError(INVALID_PARAMS, `There is no tool named ${params.name}.`);
      const onProgress = progressOf(context, onTrouble);
      const asked = { tool, input: params.arguments, context: { caller, signal: context.mcpReq.signal }, onProgress };
      const result = turn.then(() => run(asked));
      turn = result.catch(() => {});
      return result;
    });
    return server;
  };

  const factory: McpServerFactory = ({ requestInfo }) => serverFor(requestInfo && callers.get(requestInfo));
  // A stream is kept alive through long calls; where nothing takes long or the client takes none, plain JSON does.
  const common = { legacy: 'reject', onerror: onTrouble } as const;
  const streaming = createMcpHandler(factory, { ...common, responseMode: 'sse' });
  const plain = createMcpHandler(factory, common);

  async function answerLegacy(request: Request, question: McpQuestion, streams: boolean): Promise<Response> {
    const server = serverFor(question.caller);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams });
    await server.connect(transport);
    const close = (): void => void server.close().catch(onTrouble);
    question.signal.addEventListener('abort', close, { once: true });
    return transport.handleRequest(request, { parsedBody: question.messages });
  }

  return {
    async answer(question) {
      const streams = takesStream(question.headers) && calls(question.messages);
      const request = webRequest(question);
      callers.set(request, question.caller);
      const response = (await isLegacyRequest(request, question.messages))
        ? await answerLegacy(request, question, streams)
        : await (streams ? streaming : plain).fetch(request, { parsedBody: question.messages });
      return mcpAnswer(response);
    },
    async close() {
      await Promise.all([streaming.close(), plain.close()]);
    },
  };
}

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
  throw new TypeError('A tool is described in a form that MCP does not know.');
}

const takesStream = ({ accept }: IncomingHttpHeaders): boolean => accept?.includes('text/event-stream') ?? false;

const calls = (messages: McpQuestion['messages']): boolean =>
  [messages].flat().some(({ method }) => method === 'tools/call');

function progressOf({ mcpReq }: ServerContext, onTrouble: (cause: unknown) => void): ToolRun['onProgress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress, message) => {
    const params = { progressToken, progress, message };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(onTrouble);
  };
}

/** The library insists on clients that take both kinds of answer; plain ones such as curl take anything. */
function webRequest({ headers, signal }: McpQuestion): Request {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') copied.set(name, value);
  copied.set('accept', 'application/json, text/event-stream');
  return new Request('http://mcp.invalid/mcp', { method: 'POST', headers: copied, signal });
}
