import { truncate } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { wholly } from '../../../../tests/support/scale.ts';
import { type BatchBench, echo, lineOf, openBatchBench } from '../testing/batch-bench.ts';

const megabytes = wholly ? 50 : 4;
const mostBytes = megabytes * 1024 ** 2;

let bench: BatchBench;
beforeAll(async () => {
  bench = await openBatchBench({ MAX_BODY_BYTES: String(mostBytes) });
});
afterEach(async () => {
  bench.answerWith(echo);
  await bench.database.kysely.deleteFrom('batches').execute();
  bench.asked();
});
afterAll(() => bench.close());

function lineOfBytes(bytes: number): string {
  const [front = '', back = ''] = lineOf('a', { pad: '-' }).split('-');
  return `${front}${'x'.repeat(bytes - front.length - back.length)}${back}`;
}

test(`a line of ${megabytes} MB runs whole, also if that is the limit, and one byte more is refused`, async () => {
  const line = lineOfBytes(mostBytes);
  let bytes = 0;
  bench.answerWith(({ text }) => {
    bytes = text.length;
    return {};
  });
  const whole = await bench.ended((await bench.create(line))['id']);
  expect(whole).toMatchObject({ status: 'completed', request_counts: { completed: 1 } });
  expect(bytes).toBe(line.length - lineOf('a').indexOf('{"model"') - '}'.length);
  const beyond = await bench.ended((await bench.create(`${lineOf('b')}\n${line} `))['id']);
  expect(beyond).toMatchObject({ status: 'failed', errors: { data: [{ code: 'line_too_long', line: 2 }] } });
});

describe('an input of ten million lines is refused without being read to its end', () => {
  const read = 8 * 1024 ** 2;
  const lines = 10_000_000;
  const valid = (at: number) => `{"custom_id":"${at}","method":"POST","url":"/v1/chat/completions","body":{}}\n`;
  const tooMany = Array.from({ length: 100_000 }, (_, at) => valid(at)).join('');

  test.each([
    ['that are wrong', '1\n'.repeat(lines), 'invalid_json_line', 100],
    ['of which the first 50,000 are valid', `${tooMany}${'1\n'.repeat(lines)}`, 'too_many_lines', 1],
  ])('%s', async (_name, content, code, errors) => {
    const id = await bench.store(content);
    // Nothing behind it can be read.
    await truncate(`${bench.folder}/${id}`, read);
    const request = { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' };
    const created = await bench.read('createBatch', { body: Buffer.from(JSON.stringify(request)) });
    const { status, errors: found } = await bench.ended(created['id']);
    const { data } = found as { data: { code: string }[] };
    expect([status, data.length, data.at(-1)?.code]).toEqual(['failed', errors, code]);
  });
});
