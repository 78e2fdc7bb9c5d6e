import { internalTokenHeader, signInternalToken } from '@tallyport/contracts';
import { createMetrics, listen, silentLog, stopServer } from '@tallyport/service-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Relay, runConformance, startRelay } from '../../../../tests/support/conformance.ts';
import { mcpEvents } from '../events.ts';
import { runTool } from '../run-tool.ts';
import { defineTool, readOnly, type ToolResult } from '../tools/tool.ts';
import { mcpServer } from './http-server.ts';
import { createProtocol } from './protocol.ts';
import { createBodyBudget } from './read-messages.ts';
import { rememberLists } from './remembered-lists.ts';
import { createScopeCheck } from './scopes.ts';

const secret = 'a-secret-of-the-tests-with-32-characters';
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
const server = mcpServer({
  protocol: rememberLists(
    createProtocol({
      tools,
      registered: { tools: async () => [], find: async () => undefined },
      run: (run) => runTool(run, events),
      onError: events.protocolFailed,
      version: '0.0.0',
    }),
  ),
  secrets: [secret],
  limits: { maxBytes: 1024 ** 2, budget: createBodyBudget(1024 ** 2) },
  concurrent: { total: 10, perAccount: 10 },
  description: {},
  checkScopes: createScopeCheck(tools),
  events,
});
let relay: Relay;

beforeAll(async () => {
  const principal = { accountId: 'a', keyId: 'k' };
  const token = () => signInternalToken({ principal, limits: {}, requestId: 'r' }, secret);
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  relay = await startRelay(address, () => ({ [internalTokenHeader]: token(), 'x-request-id': 'r' }));
});
afterAll(async () => {
  relay.close();
  await stopServer(server, 1000);
});

test.each(['tools-call-simple-text', 'tools-call-image', 'tools-call-error'])(
  'passes the official scenario %s in both protocol generations',
  async (scenario) => {
    for (const revision of ['2025-11-25', '2026-07-28']) {
      const { passed, failed } = await runConformance({ url: relay.url, scenario, revision });
      expect(failed).toEqual([]);
      expect(passed).toBeGreaterThan(0);
    }
  },
);
