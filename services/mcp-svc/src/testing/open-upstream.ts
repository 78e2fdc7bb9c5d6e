import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createMcpHandler, Server as CurrentServer } from '@modelcontextprotocol/server';
import { Server as OldServer } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { listen, stopServer } from '@tallyport/service-kit';

interface UpstreamCallContext {
  signal: AbortSignal;
  progress(report: { progress: number; total?: number; message?: string }): Promise<void>;
  /** Announces other tools on the stream of the call. Servers of the current revision have none for this. */
  toolsChanged?(): Promise<void>;
}

/** How the server behaves; tests replace members. */
interface UpstreamBehaviour {
  tools: () => object[] | Promise<object[]>;
  call: (name: string, input: unknown, context: UpstreamCallContext) => Promise<object>;
  /** Answers instead of the MCP server. Returns whether it did. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export type OpenUpstream = Awaited<ReturnType<typeof openUpstream>>;

/** A server of both current generations without sessions, or one of the old SDK with sessions. */
type UpstreamKind = 'current' | 'sessions';

export const searchTool = {
  name: 'search',
  title: 'Search the docs',
  description: 'Finds pages.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};

/** Starts a real MCP server made with the official SDK on loopback. */
export async function openUpstream(kind: UpstreamKind = 'current') {
  const behaviour: UpstreamBehaviour = {
    tools: () => [searchTool],
    call: async (name, input) => ({ content: [{ type: 'text', text: `${name} ${JSON.stringify(input)}` }] }),
    instead: () => false,
  };
  const requests: { method: string; headers: IncomingHttpHeaders }[] = [];
  const answer = kind === 'current' ? currentServer(behaviour) : serverWithSessions(behaviour);
  const server: Server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', headers: request.headers });
    if (behaviour.instead(request, response)) return;
    answer(request, response).catch(() => response.destroy());
  });
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    behaviour,
    requests,
    url: `${address}/mcp`,
    async stop() {
      server.closeAllConnections();
      await stopServer(server, 100);
    },
  };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const info = { name: 'upstream', version: '1' };
const capabilities = { capabilities: { tools: {} } };

function currentServer(behaviour: UpstreamBehaviour): Answer {
  const handler = createMcpHandler(() => {
    const server = new CurrentServer(info, capabilities);
    server.setRequestHandler('tools/list', async () => ({ tools: await behaviour.tools() }) as never);
    server.setRequestHandler(
      'tools/call',
      ({ params }, { mcpReq }) =>
        behaviour.call(params.name, params.arguments, {
          signal: mcpReq.signal,
          progress: async (report) => {
            const progressToken = mcpReq._meta?.progressToken;
            if (progressToken === undefined) return;
            await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...report } });
          },
        }) as never,
    );
    return server;
  });
  return async (request, response) => {
    const left = new AbortController();
    response.on('close', () => left.abort());
    const { method = 'GET', headers } = request;
    const body = method === 'POST' ? await text(request) : null;
    const init = { method, headers: headers as Record<string, string>, body, signal: left.signal };
    const answer = await handler.fetch(new Request(`http://${headers.host}${request.url}`, init));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else
      Readable.fromWeb(answer.body as never)
        .on('error', () => response.destroy())
        .pipe(response);
  };
}

function serverWithSessions(behaviour: UpstreamBehaviour): Answer {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  async function open(): Promise<StreamableHTTPServerTransport> {
    const server = new OldServer(info, capabilities);
    server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await behaviour.tools() }) as never);
    server.setRequestHandler(
      CallToolRequestSchema,
      ({ params }, { signal, sendNotification, _meta }) =>
        behaviour.call(params.name, params.arguments, {
          signal,
          progress: async (report) => {
            const progressToken = _meta?.progressToken;
            if (progressToken === undefined) return;
            await sendNotification({ method: 'notifications/progress', params: { progressToken, ...report } });
          },
          toolsChanged: () => sendNotification({ method: 'notifications/tools/list_changed' }),
        }) as never,
    );
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await server.connect(transport as never);
    return transport;
  }
  return async (request, response) => {
    const { 'mcp-session-id': id } = request.headers;
    const session = typeof id === 'string' ? sessions.get(id) : await open();
    if (session === undefined) return void response.writeHead(404).end();
    await session.handleRequest(request, response);
  };
}
