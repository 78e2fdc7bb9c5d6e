// Pause: requests are spread over the time of the kills.
import { setTimeout as pause } from 'node:timers/promises';
import { GoogleGenAI } from '@google/genai';
import { sandboxProviders } from '@tallyport/simulator';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { resume, suspend } from '../support/suspend.ts';
import { countCalls, type LedgerLine, readHeld, readLedger, readSpent, readSums } from './books.ts';
import { newMark } from './mark.ts';
import { type MoneySystem, startMoneySystem } from './system.ts';

// Long: it kills replicas in the middle of background runs.
// About: services/chat-svc/src/background, packages/serving/src/metering.

let system: MoneySystem;
let suspended: number | undefined;

beforeAll(async () => {
  system = await startMoneySystem({ environment: { LIMIT_MODELS_PER_MINUTE: '0' } });
});
afterEach(() => {
  system.simulator.faults.clear();
  resume(suspended);
  suspended = undefined;
});
afterAll(async () => {
  resume(suspended);
  await system?.stop();
});

const model = 'sandbox-chat';
const soon = { interval: 50 };
const responses = () => {
  const { baseUrl, apiKey } = system.gateway;
  return new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0 }).responses;
};
const begin = (mark: string) =>
  responses().create({ model, input: `${mark} [words:20]`, background: true }, { headers: { 'x-request-id': mark } });
const interactions = () => {
  const { baseUrl, apiKey } = system.gateway;
  return new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { baseUrl } }).interactions;
};
const beginInteraction = (mark: string) =>
  interactions().create(
    { model, input: `${mark} [words:20]`, background: true },
    { headers: { 'x-request-id': mark } },
  );
const ended = async (id: string) => {
  await expect.poll(async () => (await responses().retrieve(id)).status, soon).not.toMatch(/queued|in_progress/);
  return responses().retrieve(id);
};
const linesOf = async (mark: string): Promise<LedgerLine[]> =>
  (await readLedger(system)).filter((line) => line.mark === mark);
const slow = (fault: string) => {
  for (const { id: provider } of sandboxProviders) system.simulator.faults.set({ provider, fault });
};
/** Whether a replica of chat-svc makes a response. */
async function isMaking(url: string): Promise<boolean> {
  const text = await fetch(`${url}/metrics`).then((answer) => answer.text());
  return /^gateway_background_running 1$/m.test(text);
}
/** The replica of chat-svc that makes a response. */
async function maker(): Promise<number> {
  const running = async () =>
    (await Promise.all(system.gateway.adminUrls['chat-svc'].map(isMaking))).findIndex(Boolean);
  await expect.poll(running, soon).not.toBe(-1);
  return running();
}
const calledBy = async (mark: string, calls: number) =>
  expect.poll(() => countCalls(system).get(mark), soon).toBe(calls);
const isWhole = async (): Promise<void> => {
  const books = async () => {
    const { records, days, hours } = await readSums(system);
    const [held, spent = 0] = [await readHeld(system), await readSpent(system)];
    return { held, unequal: [days, hours, String(spent / 1e9)].filter((sum) => sum !== records) };
  };
  await expect.poll(books, soon).toEqual({ held: 0, unequal: [] });
};

test('twenty responses and as many cancellations at every moment leave whole books', async () => {
  const marks = Array.from({ length: 20 }, newMark);
  slow('slow-first-byte:400');
  const begun = await Promise.all(marks.map(begin));
  const results = await Promise.all(
    begun.map(async ({ id }, at) => {
      await pause(at * 30);
      return at % 2 === 0 ? responses().cancel(id) : ended(id);
    }),
  );
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['cancelled', 'completed']));
  await isWhole();
  const lines = (await readLedger(system)).filter(({ mark }) => marks.includes(mark));
  expect(new Set(lines.map(({ mark }) => mark)).size).toBe(lines.length);
});

test('what a killed replica was making, responses and interactions, is made by the other one, and paid for once', async () => {
  const mark = newMark();
  const marks = Array.from({ length: 4 }, newMark);
  slow('slow-first-byte:1500');
  const { id } = await begin(mark);
  await calledBy(mark, 1);
  const index = await maker();
  // Both replicas have some of them.
  const begun = await Promise.all(marks.map(beginInteraction));
  await system.gateway.kill('chat-svc', { index });
  expect((await responses().retrieve(id)).status).toBe('in_progress');
  const response = await ended(id);
  expect([response.status, response.output_text.split(' ').length]).toEqual(['completed', 20]);
  await expect.poll(() => linesOf(mark), soon).toHaveLength(1);
  expect([countCalls(system).get(mark), (await linesOf(mark))[0]]).toMatchObject([2, { source: 'reported' }]);
  for (const { id: interaction } of begun)
    await expect.poll(async () => (await interactions().get(interaction)).status, soon).toBe('completed');
  const lines = () => Promise.all([mark, ...marks].map(async (each) => (await linesOf(each)).length));
  await expect.poll(lines, soon).toEqual([1, 1, 1, 1, 1]);
  await system.gateway.restart('chat-svc', { index });
  expect(await lines()).toEqual([1, 1, 1, 1, 1]);
});

test('a stream whose replica is killed ends with response.failed and the next number at the other one', async () => {
  const mark = newMark();
  slow('drip:100');
  const input = `${mark} [words:300]`;
  const stream = await responses().create(
    { model, input, background: true, stream: true },
    { headers: { 'x-request-id': mark } },
  );
  const numbers: number[] = [];
  const types: string[] = [];
  let id = '';
  const index = await maker();
  const reading = (async () => {
    for await (const event of stream) {
      if (event.type === 'response.created') id = event.response.id;
      numbers.push(event.sequence_number);
      types.push(event.type);
    }
  })().catch(() => 'broken');
  await expect.poll(() => types.includes('response.output_text.delta'), soon).toBe(true);
  await system.gateway.kill('chat-svc', { index });
  await reading;
  const rest = await responses().retrieve(id, { stream: true, starting_after: numbers.at(-1)! });
  for await (const event of rest) {
    numbers.push(event.sequence_number);
    types.push(event.type);
  }
  expect(numbers).toEqual(numbers.map((_number, at) => at));
  expect(types.filter((type) => /completed|failed|cancelled|created/.test(type))).toEqual([
    'response.created',
    'response.failed',
  ]);
  expect(await ended(id)).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('had been shown') },
  });
  expect([await linesOf(mark), countCalls(system).get(mark)]).toEqual([[], 1]);
  await system.gateway.restart('chat-svc', { index });
});

test('a replica that hangs for longer than its lease charges nothing when it goes on', async () => {
  const mark = newMark();
  slow('slow-first-byte:2000');
  const { id } = await begin(mark);
  await calledBy(mark, 1);
  const index = await maker();
  suspended = system.gateway.pids('chat-svc')[index];
  await suspend(suspended);
  const response = await ended(id);
  resume(suspended);
  expect(response.status).toBe('completed');
  // Its provider has answered long ago, so it has settled by then what it believed to have.
  await expect.poll(() => isMaking(system.gateway.adminUrls['chat-svc'][index] ?? ''), soon).toBe(false);
  await expect.poll(() => linesOf(mark), soon).toHaveLength(1);
  expect(countCalls(system).get(mark)).toBe(2);
});

test('a replica that shuts down finishes its response', async () => {
  const mark = newMark();
  slow('slow-first-byte:1500');
  const { id } = await begin(mark);
  await calledBy(mark, 1);
  const index = await maker();
  expect(await system.gateway.drain('chat-svc', { index, deadlineMs: 20_000 })).toBe('ended with exit code 0');
  expect((await ended(id)).status).toBe('completed');
  await expect.poll(() => linesOf(mark), soon).toHaveLength(1);
  expect(countCalls(system).get(mark)).toBe(1);
  await system.gateway.restart('chat-svc', { index });
});
