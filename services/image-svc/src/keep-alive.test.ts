import { afterEach, expect, test } from 'vitest';
import { type ImageBench, startImageBench } from './testing/image-bench.ts';

let bench: ImageBench | undefined;
afterEach(() => bench?.close());

const asked = { model: 'sandbox-image', prompt: 'a lamp', size: '64x64' };

test('with keep-alive, a slow answer starts with whitespace', async () => {
  bench = await startImageBench({ environment: { IMAGE_KEEP_ALIVE: 'true', IMAGE_KEEP_ALIVE_MS: '50' } });
  bench.simulator.faults.set({ fault: 'slow-first-byte:300', times: 1 });
  const { head, body } = await bench.open('generate', asked);
  const text = Buffer.from(await body.bytes()).toString();
  expect(head).toEqual({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-tallyport-cache': 'BYPASS' },
  });
  expect(text).toMatch(/^\s{2,}\{"created"/);
  expect(JSON.parse(text).data).toHaveLength(1);
  await expect.poll(() => bench?.metrics()).toContain('gateway_image_bytes_held 0\n');
});

test('with keep-alive, a late error is reported in the body', async () => {
  bench = await startImageBench({
    environment: { IMAGE_KEEP_ALIVE: 'true', IMAGE_KEEP_ALIVE_MS: '50', UPSTREAM_PLAIN_FIRST_BYTE_TIMEOUT_MS: '200' },
  });
  bench.simulator.faults.set({ fault: 'hang' });
  const { status, body } = await bench.generate(asked);
  expect([status, body.error]).toEqual([200, expect.objectContaining({ code: 'upstream_timeout' })]);
});

test('with keep-alive, a fast answer has its own status and headers', async () => {
  bench = await startImageBench({ environment: { IMAGE_KEEP_ALIVE: 'true' } });
  const { headers } = await bench.generate(asked);
  expect(headers['x-tallyport-provider']).toBe('sandbox-a');
  expect((await bench.generate({ ...asked, prompt: '[safety]' })).status).toBe(400);
});

test('a request that exceeds the memory limit is refused before anything is paid', async () => {
  bench = await startImageBench({
    environment: { IMAGE_MAX_INFLIGHT_BYTES: '3000000', IMAGE_EXPECTED_BYTES: '1000000' },
  });
  bench.simulator.faults.set({ fault: 'hang' });
  const leaving = new AbortController();
  const pending = bench.open('generate', { ...asked, n: 2 }, { signal: leaving.signal });
  pending.catch(() => undefined);
  await bench.simulator.waitFor(({ requests }) => requests.length === 1);
  const { error } = await bench.generate({ ...asked, n: 2 });
  expect(error).toMatchObject({ code: 'overloaded', status: 529, retryAfterMs: 1_000 });
  expect(bench.simulator.requests).toHaveLength(1);
  leaving.abort();
  await expect.poll(() => bench?.metrics()).toContain('gateway_image_bytes_held 0\n');
  bench.simulator.faults.clear();
  expect((await bench.generate({ ...asked, n: 2 })).status).toBe(200);
});
