import { openMemoryStore } from '@tallyport/store';
import { expect, onTestFinished, test } from 'vitest';
import { openPromptUses } from './prompt-uses.ts';

const minutes = (count: number) => count * 60_000;
const user = (content: string) => ({ role: 'user' as const, content });
const long = 'x'.repeat(100);
const fresh = { lifetime: '5m', isShared: false };

function opened({ store = openMemoryStore(), clock = { at: minutes(1_000) } } = {}) {
  const promptUses = openPromptUses(store, { characters: 100, now: () => clock.at });
  onTestFinished(() => promptUses.close());
  /** What is known about a chat that is sent this long after the one before. */
  function after(ms: number, request: object = {}, promptCaching: 'off' | 'auto' = 'auto') {
    clock.at += ms;
    const chat = { model: 'm', messages: [user(long)], ...request };
    return promptUses.of({
      principal: { accountId: 'a', keyId: 'k', promptCaching },
      model: { id: 'm' },
      request: chat,
    });
  }
  return { after, of: promptUses.of };
}

test('nothing is done for callers who did not turn it on', () => {
  const { after, of } = opened();
  const chat = { model: { id: 'm' }, request: { model: 'm', messages: [user(long)] } };
  expect(of({ ...chat, principal: undefined })).toBeUndefined();
  expect(of({ ...chat, principal: { accountId: 'a', keyId: 'k' } })).toBeUndefined();
  expect(after(0, {}, 'off')).toBeUndefined();
  expect(after(0)).toEqual(fresh);
});

test('a beginning is shared for five minutes after its last use', () => {
  const { after } = opened();
  expect(after(0)).toEqual(fresh);
  expect(after(minutes(5), { messages: [user(`${long} Another question`)] })).toEqual({ ...fresh, isShared: true });
  expect(after(minutes(5) + 1)).toEqual(fresh);
  expect(after(0, { messages: [user('y'.repeat(100))] })).toEqual(fresh);
});

test('a short prompt is not remembered', () => {
  const { after } = opened();
  const short = { messages: [user('Hi')] };
  expect([after(0, short), after(1, short)]).toEqual([fresh, fresh]);
});

test('a conversation that paused for more than five minutes is kept for an hour', () => {
  const { after } = opened();
  const named = { prompt_cache_key: 'one' };
  expect(after(0, named)?.lifetime).toBe('5m');
  expect(after(minutes(5), named)?.lifetime).toBe('5m');
  // The time of the last use is exact to a minute.
  expect(after(minutes(6), named)?.lifetime).toBe('5m');
  expect(after(minutes(6) + 1, named)?.lifetime).toBe('1h');
  expect(after(minutes(1), named)?.lifetime).toBe('1h');
  expect(after(0, { prompt_cache_key: 'two' })?.lifetime).toBe('5m');
});

test('a conversation that pauses for more than an hour begins anew', () => {
  const { after } = opened();
  const named = { prompt_cache_key: 'one' };
  after(0, named);
  expect(after(minutes(60) - 1, named)?.lifetime).toBe('1h');
  expect(after(minutes(60) + 1, named)?.lifetime).toBe('5m');
});

test('turns in quick succession are no pause, however long they go on', () => {
  const { after } = opened();
  for (let turn = 0; turn < 100; turn += 1) expect(after(30_000, { session_id: 's' })?.lifetime).toBe('5m');
});

test('replicas learn from each other', async () => {
  const options = { store: openMemoryStore(), clock: { at: minutes(1_000) } };
  const [here, there] = [opened(options), opened(options)];
  here.after(0);
  await expect.poll(() => there.after(minutes(2))).toEqual({ ...fresh, isShared: true });
});

test('a notice of another release changes nothing', async () => {
  const store = openMemoryStore();
  const { after } = opened({ store });
  await store.publish('chat:prompts', Buffer.from('{"version":2}'));
  expect(after(0)).toEqual(fresh);
});

test('20,000 prompts are remembered', () => {
  const { after } = opened();
  const ask = (index: number) => after(0, { messages: [user(`${index} ${long}`)] });
  for (let index = 0; index < 20_000; index += 1) ask(index);
  expect(ask(0)).toEqual({ ...fresh, isShared: true });
  ask(20_000);
  expect([ask(0), ask(20_000), ask(1)]).toEqual([{ ...fresh, isShared: true }, { ...fresh, isShared: true }, fresh]);
});
