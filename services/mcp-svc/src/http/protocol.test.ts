import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool, readOnly } from '../tool.ts';
import { createProtocol, type McpRequest } from './protocol.ts';

/** A tool that runs until its call is cancelled. */
function waitingTool() {
  const started = Promise.withResolvers<AbortSignal>();
  let calls = 0;
  const tool = defineTool({
    name: 'wait',
    title: 'Wait',
    description: 'Waits.',
    scope: 'mcp:tools',
    annotations: readOnly,
    input: z.object({}),
    call(_input, { signal }) {
      calls += 1;
      started.resolve(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('left'))));
    },
  });
  return { tool, started: started.promise, calls: () => calls };
}

function protocolOf({ tool }: ReturnType<typeof waitingTool>) {
  return createProtocol({
    tools: [tool],
    registered: { tools: async () => [], find: async () => undefined },
    run: ({ input, context }) => tool.call(input, context),
    onError: () => undefined,
    version: '0.0.0',
  });
}

const currentMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const generations = {
  older: { version: '2025-11-25', meta: {} },
  current: { version: '2026-07-28', meta: currentMeta },
} as const;

function callOf(generation: keyof typeof generations, accept: string, signal: AbortSignal): McpRequest {
  const { version, meta } = generations[generation];
  const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': 'wait' };
  return {
    messages: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait', arguments: {}, _meta: meta } },
    headers: { 'content-type': 'application/json', accept, ...headers },
    caller: { principal: { accountId: 'a', keyId: 'k' }, limits: {}, requestId: 'r', traceparent: undefined },
    signal,
  };
}

const kinds = [
  ['older', 'application/json'],
  ['older', 'text/event-stream'],
  ['current', 'application/json'],
  ['current', 'text/event-stream'],
] as const;

test.each(kinds)(
  'a call of the %s generation as %s does not run if its client has left',
  async (generation, accept) => {
    const waiting = waitingTool();
    await protocolOf(waiting)
      .answer(callOf(generation, accept, AbortSignal.abort()))
      .catch(() => undefined);
    expect(waiting.calls()).toBe(0);
  },
);

test.each(kinds)('a call of the %s generation as %s ends when its client leaves', async (generation, accept) => {
  const waiting = waitingTool();
  const left = new AbortController();
  const answer = protocolOf(waiting).answer(callOf(generation, accept, left.signal));
  const ended = answer.then(
    () => 'ended',
    () => 'ended',
  );
  const signal = await waiting.started;
  left.abort();
  expect(await ended).toBe('ended');
  expect(signal.aborted).toBe(true);
});
