import { type ExchangeHandler, inProcessLink } from '@tallyport/bus';
import { createMetrics, silentLog } from '@tallyport/service-kit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { mcpEvents } from '../events.ts';
import { defineTool, readOnly } from '../tool.ts';
import { createProtocol } from './protocol.ts';
import { createBodyBudget } from './read-messages.ts';
import { createScopeCheck } from './scopes.ts';
import { serveMcp } from './serve-mcp.ts';

const steps: string[] = [];
const tool = defineTool({
  name: 'draw',
  title: 'Draw',
  description: 'Draws.',
  scope: 'mcp:tools',
  annotations: readOnly,
  input: z.object({}),
  call: async () => {
    steps.push('called');
    return { content: [{ type: 'text', text: 'drawn' }] };
  },
});
const events = mcpEvents({ log: silentLog(), metrics: createMetrics({ defaults: false }) }, ['draw']);
const answer = serveMcp({
  protocol: createProtocol({
    tools: [tool],
    registered: { tools: async () => [], find: async () => undefined },
    run: ({ input, context }) => tool.call(input, context),
    onError: events.protocolFailed,
    version: '0.0.0',
  }),
  limits: { maxBytes: 1024, budget: createBodyBudget(1024) },
  concurrent: { total: 1, perAccount: 1 },
  description: {},
  checkScopes: createScopeCheck([tool]),
  events,
});
const serve: ExchangeHandler = (exchange) =>
  answer({
    ...exchange,
    confirm() {
      steps.push('confirmed');
      return exchange.confirm?.();
    },
  });

const link = inProcessLink();
beforeAll(() => link.listen({ service: 'mcp', version: '0', handlers: { serve } }));
beforeEach(() => {
  steps.length = 0;
});
afterAll(() => link.close());

async function post(message: object): Promise<string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const http = { method: 'POST', url: '/mcp', address: '192.0.2.1', publicOrigin: 'https://gateway.example' };
  const caller = { principal: { accountId: 'a', keyId: 'k' }, rights: { limits: {} } };
  const head = { requestId: 'r', timeoutMs: 10_000, headers, http, ...caller };
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
  return Buffer.from(await (await link.open('tp.s.mcp.serve', { head, body })).body.bytes()).toString();
}

test('a call of a tool is confirmed before it runs, so that no other replica runs it, too', async () => {
  expect(await post({ method: 'tools/call', params: { name: 'draw', arguments: {} } })).toContain('drawn');
  expect(steps).toEqual(['confirmed', 'called']);
});

test('a list of tools costs no confirmation', async () => {
  expect(await post({ method: 'tools/list' })).toContain('draw');
  expect(steps).toEqual([]);
});
