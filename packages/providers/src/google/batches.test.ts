import { expect, test } from 'vitest';
import { geminiBatches } from './batches.ts';

const metadata = { displayName: 'mine', createTime: '2026-11-28T10:00:00.123456789Z', state: 'BATCH_STATE_RUNNING' };
const operation = { name: 'batches/one', metadata };
const open = {
  id: 'one',
  name: 'mine',
  createdAtMs: Date.parse('2026-11-28T10:00:00.123Z'),
  isOver: false,
  results: [],
};
const read = (changes: object) => geminiBatches.batch({ ...operation, ...changes });
const inState = (state: string) => read({ metadata: { ...metadata, state } });

test('a batch is over in each state that ends it, under both of its names, or once the operation is done', () => {
  expect(read({})).toEqual(open);
  const states = ['UNSPECIFIED', 'PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED'];
  const isOver = states.map((state) => inState(`BATCH_STATE_${state}`)?.isOver);
  expect(isOver).toEqual([false, false, false, true, true, true, true]);
  expect(states.map((state) => inState(`JOB_STATE_${state}`)?.isOver)).toEqual(isOver);
  expect(read({ done: true, error: { code: 1, message: 'Cancelled' } })).toEqual({ ...open, isOver: true });
});

test('its results are in a file that the answer or its metadata name', () => {
  const responsesFile = 'files/batch-one';
  const over = { ...open, isOver: true, results: ['batch-one'] };
  expect(read({ done: true, response: { responsesFile } })).toEqual(over);
  expect(read({ done: true, metadata: { ...metadata, output: { responsesFile } } })).toEqual(over);
  expect(read({ done: true, response: { responsesFile: 'https://elsewhere' } })?.results).toEqual([]);
  expect(geminiBatches.results('batch-one')).toMatchObject({
    path: '/download/v1beta/files/batch-one:download?alt=media',
    aboveVersion: true,
  });
});

test('what is no batch is none', () => {
  expect(read({ name: 'operations/one' })).toBeUndefined();
  expect(read({ name: 'batches/' })).toBeUndefined();
  expect(geminiBatches.batch({ error: { code: 404 } })).toBeUndefined();
});

test('a result is the answer, unless there is none', () => {
  const response = { candidates: [{ index: 0 }] };
  expect(geminiBatches.result({ key: 'a', response })).toEqual({ id: 'a', body: JSON.stringify(response) });
  expect(geminiBatches.result({ key: 'a', error: { code: 13, message: 'Internal' } })).toEqual({ id: 'a' });
  expect(geminiBatches.result({ key: 'a', response: null })).toEqual({ id: 'a' });
  expect(geminiBatches.result({ response })).toBeUndefined();
});

test('pages of batches name the next one', () => {
  const page = { operations: [operation, { name: 'other/one' }], nextPageToken: 'next/page' };
  expect(geminiBatches.page(page, undefined)).toEqual({ batches: [open], next: 'next/page' });
  expect(geminiBatches.page({}, 'next/page')).toEqual({ batches: [], next: undefined });
  expect(geminiBatches.list('next/page').path).toBe('/batches?pageSize=100&pageToken=next%2Fpage');
});

test('only whole answers of a model go to a batch, which is for that model', () => {
  expect(geminiBatches.endpointOf('/models/gemini-3.6-flash:generateContent')).toBe(
    '/models/gemini-3.6-flash:batchGenerateContent',
  );
  expect(geminiBatches.endpointOf('/models/gemini-3.6-flash:streamGenerateContent?alt=sse')).toBeUndefined();
  expect(geminiBatches.endpointOf('/models/gemini-embedding-001:batchEmbedContents')).toBeUndefined();
});
