import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type AskOptions, type ImageBench, startImageBench } from './testing/image-bench.ts';
import { pictureBytes } from './testing/pictures.ts';

let bench: ImageBench;
beforeAll(async () => {
  bench = await startImageBench();
});
afterEach(() => bench.simulator.reset());
afterAll(() => bench.close());

let sequence = 0;
const newKey = (): string => `key-${(sequence += 1)}`;
const principal = { accountId: 'account', keyId: 'key' };
const options = (key: string, more: AskOptions = {}): AskOptions => ({
  principal,
  ...more,
  headers: { 'idempotency-key': key, ...more.headers },
});
const lamp = { model: 'sandbox-image', prompt: 'a lamp', size: '64x64' };
const calls = (): number => bench.simulator.requests.length;

test('a retry gets the images that its client left before seeing, with one call', async () => {
  bench.simulator.faults.set({ fault: 'slow-first-byte:300', times: 1 });
  const key = newKey();
  const leaving = new AbortController();
  const left = bench.generate(lamp, options(key, { signal: leaving.signal }));
  await expect.poll(calls, { interval: 5 }).toBe(1);
  leaving.abort();
  expect((await left).error?.code).toBe('client_closed_request');
  const again = await bench.generate(lamp, options(key));
  const once = await bench.generate(lamp, options(key));
  expect([again.status, again.headers['x-tallyport-idempotency'], calls()]).toEqual([200, 'replayed', 1]);
  expect(again.body.data).toHaveLength(1);
  expect(once).toEqual(again);
});

test('many large images are replayed byte for byte, with their length', async () => {
  const key = newKey();
  const large = { ...lamp, prompt: 'noise', size: '1024x1024', n: 4 };
  const first = await bench.generate(large, options(key));
  await expect
    .poll(async () => (await bench.generate(large, options(key))).headers)
    .toEqual({
      ...first.headers,
      'x-tallyport-idempotency': 'replayed',
    });
  expect((await bench.generate(large, options(key))).body).toEqual(first.body);
  expect(Number(first.headers['content-length'])).toBeGreaterThan(0);
  await expect.poll(() => bench.metrics()).toContain('gateway_image_bytes_held 0\n');
});

test('the same edit in a form is equal with any boundary', async () => {
  const key = newKey();
  const image = await pictureBytes('png');
  const edit = (boundary: string) => {
    const field = (name: string, value: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const body = Buffer.concat([
      Buffer.from(field('model', 'sandbox-image') + field('prompt', 'brighter')),
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n`),
      image,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    return bench.edit(body, options(key, { headers }));
  };
  const [first, again] = [await edit('one'), await edit('another')];
  expect([first.status, again.status, calls()]).toEqual([200, 200, 1]);
  expect(again.body).toEqual(first.body);
});

test('a key is one request, not one per endpoint', async () => {
  const key = newKey();
  await bench.generate(lamp, options(key));
  expect((await bench.edit(lamp, options(key))).error?.code).toBe('idempotency_conflict');
});

test('an answer for another key of the account is only given to keys that could have made it', async () => {
  const key = newKey();
  const first = await bench.generate(lamp, options(key));
  const asking = (changes: object) =>
    bench.generate(lamp, options(key, { principal: { accountId: 'account', keyId: 'other', ...changes } }));
  const restricted = await asking({ allowedModels: ['another-model'] });
  expect([restricted.status, restricted.error?.code]).toEqual([403, 'permission_denied']);
  const poor = await asking({ budgets: { key: { amount: '0.01', period: 'total' } } });
  expect([poor.status, poor.body['error']]).toEqual([402, expect.objectContaining({ code: 'budget_exceeded' })]);
  const rich = await asking({ budgets: { key: { amount: '5', period: 'total' } } });
  expect([rich.status, rich.body, calls()]).toEqual([200, first.body, 1]);
});
