import { expect, test } from 'vitest';
import { mistralBatches } from './batches.ts';

const job = { id: 'one', metadata: { tallyport_batch: 'mine' }, created_at: 5, status: 'RUNNING', output_file: null };

test.each([
  ['QUEUED', false],
  ['RUNNING', false],
  ['CANCELLATION_REQUESTED', false],
  ['SUCCESS', true],
  ['FAILED', true],
  ['TIMEOUT_EXCEEDED', true],
  ['CANCELLED', true],
])('whether a job that is %s is over: %s', (status, isOver) => {
  expect(mistralBatches.batch({ ...job, status })).toEqual({
    id: 'one',
    name: 'mine',
    createdAtMs: 5_000,
    isOver,
    results: [],
  });
});

test('a job has the model of its lines, and its file', () => {
  const lines = ['a', 'b'].map((id) =>
    mistralBatches.line({ id, endpoint: '/v1/embeddings', body: '{"model":"mistral-embed","input":"Hi"}' }),
  );
  expect(lines[1]).toBe('{"custom_id":"b","body":{"model":"mistral-embed","input":"Hi"}}');
  const { path, body } = mistralBatches.create({ name: 'mine', endpoint: '/v1/embeddings', lines, fileId: 'file' });
  expect([path, JSON.parse(Buffer.concat(body).toString())]).toEqual([
    '/batch/jobs',
    {
      input_files: ['file'],
      endpoint: '/v1/embeddings',
      model: 'mistral-embed',
      metadata: { tallyport_batch: 'mine' },
      timeout_hours: 24,
    },
  ]);
});

test('a full page of jobs has another one after it', () => {
  const full = { data: Array.from({ length: 100 }, () => job) };
  expect(mistralBatches.page(full, undefined).next).toBe('1');
  expect(mistralBatches.page(full, '1').next).toBe('2');
  expect(mistralBatches.page({ data: [job] }, '2')).toMatchObject({ batches: [{ id: 'one' }], next: undefined });
  expect(mistralBatches.list('2').path).toBe('/batch/jobs?page=2&page_size=100&order_by=-created');
});
