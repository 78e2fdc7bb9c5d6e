import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, stopServer } from '@tallyport/service-kit';
import { searchTool } from './open-upstream.ts';

interface Message {
  id?: number;
  method?: string;
}

/** Answers one request for the list of tools, or a call, as a test decides. */
export type HostileAnswer = (request: Message, response: ServerResponse) => void;

export type OpenHostileServer = Awaited<ReturnType<typeof openHostileServer>>;

/** Starts an MCP server without the SDK, which keeps to the protocol but for the answer that the test gives. */
export async function openHostileServer(answer: HostileAnswer) {
  const seen = { requests: 0, answers: 0, asked: 0, resumed: 0, running: 0, mostRunning: 0 };
  const server = createServer((request, response) => {
    seen.running += 1;
    seen.mostRunning = Math.max(seen.mostRunning, seen.running);
    response.on('close', () => (seen.running -= 1));
    void handle(request, response);
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    seen.requests += 1;
    if (request.method === 'GET') {
      seen.resumed += 1;
      return answer({}, response);
    }
    if (request.method !== 'POST') return void response.end();
    const message = JSON.parse(await text(request)) as Message;
    if (message.method === undefined) seen.answers += 1;
    if (message.id === undefined || message.method === undefined) return void response.writeHead(202).end();
    seen.asked = message.id;
    if (message.method === 'tools/list' || message.method === 'tools/call') return answer(message, response);
    sendJson(response, { id: message.id, ...(message.method === 'initialize' ? { result: welcome } : unknownMethod) });
  }

  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    seen,
    url: `${address}/mcp`,
    async stop() {
      server.closeAllConnections();
      await stopServer(server, 100);
    },
  };
}

const welcome = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'hostile', version: '1' },
};
const unknownMethod = { error: { code: -32_601, message: 'Method not found' } };

export const listResult = ({ id }: Message): object => ({ id, result: { tools: [searchTool] } });

const rpc = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });

/** Messages in one JSON body: a batch if there are several. */
export function sendJson(response: ServerResponse, ...messages: object[]): void {
  const texts = messages.map(rpc);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(texts.length === 1 ? texts[0] : `[${texts.join(',')}]`);
}

/** Messages as one stream of events. */
export function sendEvents(response: ServerResponse, ...messages: object[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(messages.map((message) => `data: ${rpc(message)}\n\n`).join(''));
}
