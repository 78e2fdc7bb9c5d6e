import { createByteBudget } from '@tallyport/serving';
import { createByteQuota, openStore } from '@tallyport/store';
import { expect, test } from 'vitest';
import { continueConversation, mostResponses, readStoredConversation } from './conversation.ts';
import type { GuardStored } from './guard-stored.ts';
import { createStoredResponses, type FoundRecord } from './stored-responses.ts';

/** Callers without rules. */
const guard: GuardStored = async (responses) => responses;

async function started() {
  const store = await openStore({});
  const quota = createByteQuota({ store, name: 'responses', maxBytes: 64 * 1024 ** 2 });
  const stored = createStoredResponses({ kind: 'response', store, quota, maxBytes: 1_000_000, ttlMs: 60_000 });
  let previous: FoundRecord | undefined;
  const add = async (id: string) => {
    const output = [{ type: 'message', id: `msg_${id}`, role: 'assistant', content: 'x' }];
    await stored.keep({ accountId: 'account' }, { id, response: { output }, input: [], previous });
    previous = await stored.find({ accountId: 'account' }, id);
  };
  return { stored, add, bytes: () => previous?.head.conversationBytes ?? 0 };
}

test('a conversation has at most a thousand responses', async () => {
  const { stored, add } = await started();
  for (let count = 1; count < mostResponses; count += 1) await add(String(count));
  const bounds = { stored, maxBodyBytes: 64 * 1024 ** 2, budget: createByteBudget(64 * 1024 ** 2, 'LIMIT'), guard };
  const whole = await continueConversation({ owner: { accountId: 'account' }, id: '999' }, bounds);
  expect([...whole.input, ...whole.output].map(({ id }) => id)).toEqual(
    Array.from({ length: 999 }, (_, at) => `msg_${at + 1}`),
  );
  await add(String(mostResponses));
  const last = { owner: { accountId: 'account' }, id: '1000' };
  await expect(continueConversation(last, bounds)).rejects.toMatchObject({
    code: 'invalid_parameters',
    param: 'previous_response_id',
  });
  expect((await readStoredConversation(last, bounds)).input).toHaveLength(999);
});

test('a conversation is read up to the size of a body, within the memory of the service', async () => {
  const { stored, add, bytes } = await started();
  for (const id of ['1', '2']) await add(id);
  const read = (maxBodyBytes: number, memory: number) => {
    const budget = createByteBudget(memory + 1, 'CHAT_MAX_INFLIGHT_BYTES');
    budget.lease().take(1);
    const reading = readStoredConversation(
      { owner: { accountId: 'account' }, id: '2' },
      { stored, maxBodyBytes, budget, guard },
    );
    return reading.then(
      ({ output }) => [output.length, budget.held()],
      ({ code }) => [code, budget.held()],
    );
  };
  const size = bytes();
  expect(await read(size, size)).toEqual([1, 1]);
  expect(await read(size - 1, size)).toEqual(['request_too_large', 1]);
  expect(await read(size, size - 1)).toEqual(['overloaded', 1]);
});
