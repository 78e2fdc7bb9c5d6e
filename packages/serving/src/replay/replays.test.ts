import type { ExchangeAnswer, IncomingExchange } from '@tallyport/bus';
import { createByteQuota, openMemoryStore } from '@tallyport/store';
import { afterAll, expect, test, vi } from 'vitest';
import { wholeBody } from './hold-body.ts';
import { createReplays } from './replays.ts';
import { storedResults } from './stored-results.ts';

const store = openMemoryStore();
afterAll(() => store.close());

const protection = { operation: 'chat', maxBodyBytes: 1_000, refusalOfRepeat: async () => undefined };

function replaysWith({ maxBytes, quotaBytes }: { maxBytes: number; quotaBytes: number }) {
  const quota = createByteQuota({ store, name: `quota ${quotaBytes}`, maxBytes: quotaBytes });
  const stored = storedResults({ store, quota, ttlMs: 60_000 });
  return createReplays({ stored, maxBytes, maxHeldBytes: 100_000, keepAliveMs: 10_000, onResult: () => {} });
}

const asked = (key: string, signal: AbortSignal = new AbortController().signal) => ({
  head: {
    requestId: 'req',
    timeoutMs: 10_000,
    headers: { 'idempotency-key': key },
    principal: { accountId: 'account', keyId: 'key' },
  },
  body: wholeBody(Buffer.from('{}')),
  signal,
});

async function readAll({ body }: ExchangeAnswer): Promise<string> {
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString();
}

test.each([
  ['fits the quota of its account', 2_000, ['new', 'replayed', 'replayed'], 1],
  ['does not fit it', 1_999, ['new', 'idempotency_conflict', 'idempotency_conflict'], 1],
])('an answer that %s is paid for once', async (_name, quotaBytes, results, calls) => {
  const make = vi.fn(async () => ({ head: { status: 200, headers: {} }, body: Buffer.alloc(2_000, 'x') }));
  const replays = replaysWith({ maxBytes: 10_000, quotaBytes });
  const handler = replays.protect(protection)(make);
  const seen: unknown[] = [];
  const texts = new Set<string>();
  for (let tries = 0; tries < 3; tries++) {
    const answer = await handler(asked(`quota-${quotaBytes}`)).catch((thrown: { code: string }) => thrown.code);
    if (typeof answer !== 'string') texts.add(await readAll(answer));
    await replays.drain(60_000);
    seen.push(typeof answer === 'string' ? answer : answer.head.headers['x-tallyport-idempotency']);
  }
  expect([seen, make.mock.calls.length, [...texts]]).toEqual([results, calls, ['x'.repeat(2_000)]]);
});

test('a run whose client left before it began ends, also if its answer cannot be kept and is not read', async () => {
  const replays = replaysWith({ maxBytes: 10, quotaBytes: 10 });
  async function* until(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for (; ; signal.throwIfAborted()) yield Buffer.alloc(20);
  }
  const make = async ({ signal }: IncomingExchange) => ({ head: { status: 200, headers: {} }, body: until(signal) });
  const handler = replays.protect(protection)(make);
  const left = new AbortController();
  const answering = handler(asked('left', left.signal)).catch(() => undefined);
  left.abort();
  await answering;
  await replays.drain(60_000);
});

test('a run is confirmed at the caller that started it', async () => {
  const confirm = vi.fn();
  const handler = replaysWith({ maxBytes: 10_000, quotaBytes: 10_000 }).protect(protection)(async (run) => {
    await run.confirm?.();
    return { head: { status: 200, headers: {} }, body: Buffer.from('{}') };
  });
  await readAll(await handler({ ...asked('confirmed'), confirm }));
  expect(confirm.mock.calls).toEqual([[]]);
});

test('a run goes on when the client that started it has left, and knows that it has', async () => {
  const replays = replaysWith({ maxBytes: 10_000, quotaBytes: 10_000 });
  const left = new AbortController();
  const seen = Promise.withResolvers<IncomingExchange>();
  const end = Promise.withResolvers<void>();
  const handler = replays.protect(protection)(async (run) => {
    seen.resolve(run);
    await end.promise;
    return { head: { status: 200, headers: {} }, body: Buffer.from('{}') };
  });
  const answering = handler(asked('known-to-have-left', left.signal));
  const { signal, clientSignal } = await seen.promise;
  left.abort();
  expect([signal.aborted, clientSignal?.aborted]).toEqual([false, true]);
  end.resolve();
  expect(await readAll(await answering)).toBe('{}');
});
