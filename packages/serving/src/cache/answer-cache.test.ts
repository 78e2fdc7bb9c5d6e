import type { IncomingExchange } from '@tallyport/bus';
import { createByteQuota, openMemoryStore, type Store } from '@tallyport/store';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AnswerCache, createAnswerCache } from './answer-cache.ts';
import type { AnswerRecorder } from './answer-recorder.ts';
import { createStoredAnswers } from './stored-answers.ts';

let store: Store;
let cache: AnswerCache;
beforeEach(() => {
  store = openMemoryStore();
  const quota = createByteQuota({ store, name: 'answers', maxBytes: 100_000 });
  const stored = createStoredAnswers({ store, quota, onBroken() {} });
  cache = createAnswerCache({ stored, maxRecordedBytes: 100_000, waitMs: 10_000, onBroken() {} });
});
afterEach(() => store.close());

const answer = { head: { status: 200, headers: {} }, body: Buffer.from('{}') };
const left = new Error('The client has left.');

/** Asks the same question each time. A client that has left did so before the cache was asked. */
function ask(signal: AbortSignal, make: (recorder: AnswerRecorder | undefined) => Promise<void>) {
  const exchange: Pick<IncomingExchange, 'head' | 'signal'> = {
    head: { requestId: 'req_test', timeoutMs: 10_000, headers: {} },
    signal,
  };
  const shared = { key: 'question', holder: 'account', ttlMs: 60_000, maxBytes: 1_000 };
  return cache.answer(
    { ...shared, exchange: exchange as IncomingExchange, onResult() {}, from: () => answer },
    async ({ recorder }) => {
      await make(recorder);
      recorder?.incomplete();
      return answer;
    },
  );
}

describe('a client that has left before the cache is asked', () => {
  test('ends the answer that its request would start', async () => {
    let seen: AbortSignal | undefined;
    await ask(AbortSignal.abort(left), async (recorder) => void (seen = recorder?.signal));
    expect([seen?.aborted, seen?.reason]).toEqual([true, left]);
  });

  test('does not keep the answer of another request going', async () => {
    const first = new AbortController();
    const started = Promise.withResolvers<AbortSignal | undefined>();
    const ended = Promise.withResolvers<void>();
    const answers = [
      ask(first.signal, (recorder) => {
        started.resolve(recorder?.signal);
        return ended.promise;
      }),
      ask(AbortSignal.abort(left), async () => {}),
    ];
    const signal = await started.promise;
    expect(signal?.aborted).toBe(false);
    first.abort(left);
    expect(signal?.aborted).toBe(true);
    ended.resolve();
    await Promise.all(answers);
  });
});
