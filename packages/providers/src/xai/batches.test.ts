import { expect, test } from 'vitest';
import { xaiBatches } from './batches.ts';

const state = { num_requests: 2, num_pending: 0, num_success: 1, num_error: 1, num_cancelled: 0 };
const batch = { batch_id: 'batch_1', name: 'mine', create_time: '2026-09-23', cancel_time: null, state };
const read = (changes: object) => xaiBatches.batch({ ...batch, ...changes });

test('a batch is over once nothing is pending, and its file was read or it was cancelled', () => {
  const lastOfDay = Date.parse('2026-09-24T00:00:00Z') - 1;
  const over = { id: 'batch_1', name: 'mine', createdAtMs: lastOfDay, isOver: true, results: ['batch_1'] };
  const open = { ...over, isOver: false, results: [] };
  const unread = { num_requests: 0, num_pending: 0 };
  expect(read({})).toEqual(over);
  expect(read({ state: { ...state, num_pending: 1 } })).toEqual(open);
  expect(read({ state: unread })).toEqual(open);
  expect(read({ state: undefined })).toEqual(open);
  expect(read({ state: unread, cancel_time: '2026-09-23', cancel_by_xai_message: 'Wrong file' })).toEqual(over);
  expect(read({ state: { ...state, num_pending: 1 }, cancel_time: '2026-09-23' })).toEqual(open);
});

test('a time may be only a date, or absent', () => {
  expect(read({ create_time: '2026-09-23T10:00:00Z' })?.createdAtMs).toBe(Date.parse('2026-09-23T10:00:00Z'));
  expect(read({ create_time: null })?.createdAtMs).toBe(Infinity);
  expect(xaiBatches.batch({ error: 'Not found' })).toBeUndefined();
});

test('a result is the chat, unless there is none', () => {
  const answer = { id: 'one', choices: [{ index: 0 }], usage: { cost_in_usd_ticks: 5 } };
  const resultOf = (result: unknown) => xaiBatches.result({ batch_request_id: 'a', batch_result: result })?.body;
  const noError = { code: 0, message: '' };
  expect(resultOf({ response: { chat_get_completion: answer }, error: noError })).toBe(JSON.stringify(answer));
  expect(resultOf({ error: { code: 3, message: 'Invalid request.' } })).toBeUndefined();
  expect(resultOf({ error: 'The model is not supported.' })).toBeUndefined();
  expect(resultOf({ response: { chat_get_completion: { code: 'x', error: 'Wrong' } } })).toBeUndefined();
  expect(xaiBatches.result({ batch_result: {} })).toBeUndefined();
});

test('pages of batches and of results name the next one', () => {
  expect(xaiBatches.page({ batches: [batch, {}], pagination_token: 'next/page' }, undefined)).toMatchObject({
    batches: [{ id: 'batch_1' }],
    next: 'next/page',
  });
  expect(xaiBatches.list('next/page').path).toBe('/batches?limit=100&pagination_token=next%2Fpage');
  expect(xaiBatches.resultPage?.({ results: [1], pagination_token: null })).toEqual({ rows: [1], next: undefined });
  expect(xaiBatches.results('batch/1', 'a b').path).toBe('/batches/batch%2F1/results?limit=20&pagination_token=a%20b');
});
