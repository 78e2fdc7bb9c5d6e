import { expect, test } from 'vitest';
import type { McpQuestion, Protocol } from './protocol.ts';
import { rememberLists } from './remembered-lists.ts';

/** Says how often it was really asked, in an answer that tells the way of asking. */
function counted() {
  let asked = 0;
  const protocol: Protocol = {
    async answer({ messages, headers }) {
      asked += 1;
      const { id, params } = messages as { id: number; params: unknown };
      const body = JSON.stringify({ result: { params, version: headers['mcp-protocol-version'] }, jsonrpc: '2.0', id });
      return { status: 200, headers: {}, body };
    },
    close: async () => undefined,
  };
  return { lists: rememberLists(protocol), asked: () => asked };
}

const questionOf = (id: number, way: string): McpQuestion => ({
  messages: { jsonrpc: '2.0', id, method: 'tools/list', params: { cursor: way } },
  headers: { 'mcp-protocol-version': '2025-11-25' },
  caller: { principal: { accountId: 'a', keyId: 'k' }, limits: {}, requestId: 'r', traceparent: undefined },
  signal: new AbortController().signal,
});

test('the same question is answered from memory, under its own id', async () => {
  const { lists, asked } = counted();
  const first = await lists.answer(questionOf(1, 'way'));
  const second = await lists.answer(questionOf(2, 'way'));
  expect(JSON.parse(String(second.body))).toEqual({ ...JSON.parse(String(first.body)), id: 2 });
  expect(asked()).toBe(1);
});

test('a hundred ways of asking are remembered, and no more', async () => {
  const { lists, asked } = counted();
  for (let way = 1; way <= 101; way += 1) await lists.answer(questionOf(1, String(way)));
  await lists.answer(questionOf(2, '100'));
  expect(asked()).toBe(101);
  await lists.answer(questionOf(2, '101'));
  expect(asked()).toBe(102);
});

test('a way of 2,000 characters is remembered, a longer one is not', async () => {
  const { lists, asked } = counted();
  const { messages, headers } = questionOf(1, '');
  const { id: _, ...rest } = messages as { id: number };
  const room = 2_000 - JSON.stringify([rest, Object.entries(headers)]).length;
  for (const [length, times] of [
    [room, 1],
    [room + 1, 3],
  ] as const) {
    await lists.answer(questionOf(1, 'x'.repeat(length)));
    await lists.answer(questionOf(2, 'x'.repeat(length)));
    expect(asked()).toBe(times);
  }
});
