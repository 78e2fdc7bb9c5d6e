import { createByteBudget } from '@tallyport/serving';
import { createByteQuota, openStore } from '@tallyport/store';
import { expect, test } from 'vitest';
import { mostResponses } from './conversation.ts';
import { referencedItems } from './references.ts';
import type { GuardStored } from './guard-stored.ts';
import { createStoredResponses } from './stored-responses.ts';

const itemOf = (response: string, at = 1) => ({
  type: 'message',
  id: `msg_${response}_${at}`,
  role: 'assistant',
  content: 'x',
});
const referenceTo = (id: string) => ({ type: 'item_reference', id });

/** Callers without rules. */
const guard: GuardStored = async (responses) => responses;

async function started() {
  const store = await openStore({});
  const quota = createByteQuota({ store, name: 'responses', maxBytes: 64 * 1024 ** 2 });
  const stored = createStoredResponses({ kind: 'response', store, quota, maxBytes: 1_000_000, ttlMs: 60_000 });
  const add = async (name: string) => {
    const ended = { id: `resp_${name}`, response: { output: [itemOf(name), itemOf(name, 2)] }, input: [] };
    await stored.keep({ accountId: 'account' }, { ...ended, previous: undefined });
    return (await stored.find({ accountId: 'account' }, ended.id))?.head.bytes ?? 0;
  };
  const resolve = (
    input: unknown[],
    { accountId = 'account', maxBodyBytes = 64 * 1024 ** 2, memory = 64 * 1024 ** 2 } = {},
  ) => {
    const budget = createByteBudget(memory + 1, 'CHAT_MAX_INFLIGHT_BYTES');
    budget.lease().take(1);
    return referencedItems({ input }, { accountId }, { stored, maxBodyBytes, budget, guard }).then(
      (items) => ({ items, held: budget.held() }),
      ({ code, param, message }) => ({ code, param, message, held: budget.held() }),
    );
  };
  return { stored, add, resolve };
}

test('references become the items of their responses, in their places', async () => {
  const { add, resolve } = await started();
  for (const name of ['a', 'b']) await add(name);
  const user = { role: 'user', content: 'Hi' };
  const ids = ['msg_b_2', 'msg_a_1', 'msg_b_1'];
  expect(await resolve([user, ...ids.map(referenceTo), user])).toEqual({
    items: new Map([
      [1, itemOf('b', 2)],
      [2, itemOf('a')],
      [3, itemOf('b')],
    ]),
    held: 1,
  });
});

test('an item that is unknown, deleted, of another account or of no response is not found, in the same way', async () => {
  const { stored, add, resolve } = await started();
  await add('a');
  await add('gone');
  await stored.delete({ accountId: 'account' }, 'resp_gone');
  const missing = (id: string, options = {}) =>
    expect(resolve([itemOf('x'), referenceTo(id)], options)).resolves.toEqual({
      code: 'not_found',
      param: 'input[1].id',
      message: `Item with id '${id.slice(0, 64)}' not found.`,
      held: 1,
    });
  for (const id of ['msg_a_3', 'msg_b_1', 'msg_gone_1', 'msg_1', '', 'x'.repeat(5_000)]) await missing(id);
  await missing('msg_a_1', { accountId: 'another' });
});

test('a request refers to items of at most a thousand responses', async () => {
  const { add, resolve } = await started();
  const names = Array.from({ length: mostResponses + 1 }, (_, at) => `r${at}`);
  for (const name of names) await add(name);
  const references = names.map((name) => referenceTo(`msg_${name}_1`));
  // A further item of the same response counts once.
  const most = [...references.slice(0, mostResponses), referenceTo('msg_r0_2')];
  expect(await resolve(most)).toMatchObject({ items: { size: mostResponses + 1 } });
  expect(await resolve(references)).toMatchObject({ code: 'invalid_parameters', param: 'input' });
});

test('responses are read up to the size of a body, within the memory of the service', async () => {
  const { add, resolve } = await started();
  const size = (await add('a')) + (await add('b'));
  const input = ['msg_a_1', 'msg_b_1'].map(referenceTo);
  const read = (maxBodyBytes: number, memory: number) => resolve(input, { maxBodyBytes, memory });
  expect(await read(size, size)).toMatchObject({ items: { size: 2 }, held: 1 });
  expect(await read(size - 1, size)).toMatchObject({ code: 'request_too_large', held: 1 });
  expect(await read(size, size - 1)).toMatchObject({ code: 'overloaded', held: 1 });
});
