import { expect, test } from 'vitest';
import type { McpRequest, Protocol } from './protocol.ts';
import { rememberLists } from './remembered-lists.ts';

/** A protocol that counts its calls and echoes the variant of the request. */
function counted() {
  let calls = 0;
  const protocol: Protocol = {
    async answer({ messages, headers }) {
      calls += 1;
      const { id, params } = messages as { id: number; params: unknown };
      const body = JSON.stringify({ result: { params, version: headers['mcp-protocol-version'] }, jsonrpc: '2.0', id });
      return { status: 200, headers: {}, body };
    },
    close: async () => undefined,
  };
  return { lists: rememberLists(protocol), calls: () => calls };
}

const requestOf = (id: number, variant: string): McpRequest => ({
  messages: { jsonrpc: '2.0', id, method: 'tools/list', params: { cursor: variant } },
  headers: { 'mcp-protocol-version': '2025-11-25' },
  caller: { principal: { accountId: 'a', keyId: 'k' }, limits: {}, requestId: 'r', traceparent: undefined },
  signal: new AbortController().signal,
});

test('answers a repeated request from memory, under its own id', async () => {
  const { lists, calls } = counted();
  const first = await lists.answer(requestOf(1, 'variant'));
  const second = await lists.answer(requestOf(2, 'variant'));
  expect(JSON.parse(String(second.body))).toEqual({ ...JSON.parse(String(first.body)), id: 2 });
  expect(calls()).toBe(1);
});

test('remembers at most a hundred variants', async () => {
  const { lists, calls } = counted();
  for (let variant = 1; variant <= 101; variant += 1) await lists.answer(requestOf(1, String(variant)));
  await lists.answer(requestOf(2, '100'));
  expect(calls()).toBe(101);
  await lists.answer(requestOf(2, '101'));
  expect(calls()).toBe(102);
});

test('remembers variants of up to 2,000 characters', async () => {
  const { lists, calls } = counted();
  const { messages, headers } = requestOf(1, '');
  const { id: _, ...rest } = messages as { id: number };
  const room = 2_000 - JSON.stringify([rest, Object.entries(headers)]).length;
  for (const [length, times] of [
    [room, 1],
    [room + 1, 3],
  ] as const) {
    await lists.answer(requestOf(1, 'x'.repeat(length)));
    await lists.answer(requestOf(2, 'x'.repeat(length)));
    expect(calls()).toBe(times);
  }
});
