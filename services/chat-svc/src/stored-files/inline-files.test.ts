import { createByteBudget } from '@tallyport/serving';
import { expect, test } from 'vitest';
import { inlineFiles } from './inline-files.ts';
import type { StoredFiles } from './stored-files.ts';

const id = `file-${'0a'.repeat(16)}`;
const bytes = Buffer.alloc(3_000, 'a');
const files: StoredFiles = {
  async read(_place, { expect: announce }) {
    announce(bytes.length);
    return { filename: 'a.pdf', mediaType: 'application/pdf', bytes };
  },
};
const body = (...ids: string[]) =>
  Buffer.from(JSON.stringify({ input: [{ content: ids.map((named) => ({ type: 'input_file', file_id: named })) }] }));

function openRequest(limit: number) {
  const budget = createByteBudget(limit, 'LIMIT');
  const request = {
    files,
    members: ['file_id'] as const,
    head: { requestId: 'r', timeoutMs: 1_000, headers: {} },
    maxBodyBytes: 1_000_000,
  };
  const { signal } = new AbortController();
  return { budget, request: { ...request, signal, lease: budget.lease() } };
}

test('three copies of a body with its files are counted, and a file while it is read', async () => {
  const arrived = body(id, id);
  const { budget, request } = openRequest(1_000_000);
  request.lease.take(arrived.length);
  const { length } = await inlineFiles(arrived, request);
  expect(length).toBeGreaterThan(8_000);
  expect(budget.held()).toBe(3 * (arrived.length + 8_000) + 3_000);
  request.lease.release();
  expect(budget.held()).toBe(0);
});

test('a file for which there is no room is not read', async () => {
  const { budget, request } = openRequest(10_000);
  budget.lease().take(7_500);
  await expect(inlineFiles(body(id), request)).rejects.toMatchObject({ code: 'overloaded' });
});

test.each([
  ['no JSON', Buffer.from('{"file_id"')],
  ['no object', Buffer.from('["file_id"]')],
  ['a body without stored files', body('file-1')],
])('%s stays as it is', async (_what, arrived) => {
  const { budget, request } = openRequest(1_000_000);
  expect(await inlineFiles(arrived, request)).toBe(arrived);
  expect(budget.held()).toBe(0);
});
