import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { inProcessLink, serve } from '@tallyport/bus';
import { exchange, service } from '@tallyport/contracts';
import { exchangeFetch } from '@tallyport/http-exchange/testing';
import { createMetrics, listen, silentLog, stopServer } from '@tallyport/service-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { runConformance } from '../../../../tests/support/conformance.ts';
import { mcpEvents } from '../events.ts';
import { runTool } from '../run-tool.ts';
import { defineTool, readOnly, type ToolResult } from '../tool.ts';
import { createProtocol } from './protocol.ts';
import { createBodyBudget } from './read-messages.ts';
import { rememberLists } from './remembered-lists.ts';
import { createScopeCheck } from './scopes.ts';
import { serveMcp } from './serve-mcp.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The tools that the conformance suite expects, on the real server. */
const fixture = (name: string, answer: () => ToolResult) =>
  defineTool({
    name,
    title: name,
    description: 'For the conformance suite.',
    scope: 'mcp:tools',
    annotations: readOnly,
    input: z.object({}),
    call: async () => answer(),
  });
const tools = [
  fixture('test_simple_text', () => ({
    content: [{ type: 'text', text: 'This is a simple text response for testing.' }],
  })),
  fixture('test_image_content', () => ({ content: [{ type: 'image', data: pixel, mimeType: 'image/png' }] })),
  fixture('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  }),
];

const events = mcpEvents(
  { log: silentLog(), metrics: createMetrics({ defaults: false }) },
  tools.map(({ name }) => name),
);
const serveHttp = serveMcp({
  protocol: rememberLists(
    createProtocol({
      tools,
      registered: { tools: async () => [], find: async () => undefined },
      run: (run) => runTool(run, events),
      onError: events.protocolFailed,
      version: '0.0.0',
    }),
  ),
  limits: { maxBytes: 1024 ** 2, budget: createBodyBudget(1024 ** 2) },
  concurrent: { total: 10, perAccount: 10 },
  description: {},
  checkScopes: createScopeCheck(tools),
  events,
});
const link = inProcessLink();
const ask = exchangeFetch((request) => link.open('tp.s.mcp.serve', request));
const caller = { principal: { accountId: 'a', keyId: 'k' }, rights: { limits: {} } };

/** The official suite needs an HTTP server. */
const server = createServer(async (request, response) => {
  await answerTo(request, response).catch(() => response.destroy());
});
let url = '';

async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const left = new AbortController();
  response.on('close', () => left.abort());
  const { method = 'GET', headers, url: path = '/' } = request;
  const body = Buffer.concat(await request.toArray());
  const sent = { method, headers: headers as Record<string, string>, body, signal: left.signal, ...caller };
  const answer = await ask(path, sent);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  Readable.fromWeb(answer.body as never)
    .on('error', () => response.destroy())
    .pipe(response);
}

beforeAll(async () => {
  await serve(link, service('mcp', { serve: exchange() }), { serve: serveHttp });
  url = `${await listen(server, { host: '127.0.0.1', port: 0 })}/mcp`;
});
afterAll(async () => {
  await stopServer(server, 1000);
  await link.close();
});

test.each(['tools-call-simple-text', 'tools-call-image', 'tools-call-error'])(
  'passes the official scenario %s in both protocol generations',
  async (scenario) => {
    for (const revision of ['2025-11-25', '2026-07-28']) {
      const { passed, failed } = await runConformance({ url, scenario, revision });
      expect(failed).toEqual([]);
      expect(passed).toBeGreaterThan(0);
    }
  },
);
