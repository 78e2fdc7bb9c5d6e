// Pause: the moment of a kill differs in each round.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asks, says } from '../../services/chat-svc/src/testing/realtime-client.ts';
import { connectSocket } from '../../services/edge/src/testing/socket-client.ts';
import { resume, suspend } from '../support/suspend.ts';
import { runsOf } from '../support/scale.ts';
import { countCalls, readLedger } from './books.ts';
import { ask, type ClientRequest } from './client.ts';
import { newMark } from './mark.ts';
import { type MoneySystem, startMoneySystem } from './system.ts';

// Long: it kills replicas at random moments.
// About: packages/bus/src, services/chat-svc/src/realtime.

const replicas = 3;
const hungReplica = replicas - 1;
const atOnce = 40;

let system: MoneySystem;
let hung: number | undefined;

beforeAll(async () => {
  system = await startMoneySystem({ replicas: { 'chat-svc': replicas } });
});
afterAll(async () => {
  resume(hung);
  await system?.stop();
});

const askStreams = (): Promise<ClientRequest>[] =>
  Array.from({ length: atOnce }, () => ask(system, { mark: newMark(), stream: true, words: 8 }));

const realtimeModel = 'gpt-realtime-2.1';
const soon = { interval: 50 };
const openSession = () =>
  connectSocket(system.gateway.baseUrl, `/v1/realtime?model=${realtimeModel}`, { key: system.gateway.apiKey });

/** The tokens of each response of sessions, as the ledger has them. */
async function settledResponses(): Promise<number[]> {
  const lines = (await readLedger(system)).filter(({ model }) => model === realtimeModel);
  return lines.map(({ counts }) => Object.values(counts).reduce((sum, count) => sum + count, 0)).toSorted(ascending);
}

const billedResponses = (): number[] =>
  system.simulator.realtime.sessions
    .flatMap(({ billed }) => billed.map(({ total_tokens: tokens }) => tokens))
    .toSorted(ascending);

const ascending = (a: number, b: number): number => a - b;

/** The replica of chat-svc that has the session. */
async function holder(): Promise<number> {
  const metrics = system.gateway.adminUrls['chat-svc'].map(async (url) =>
    fetch(`${url}/metrics`).then((answer) => answer.text()),
  );
  return (await Promise.all(metrics)).findIndex((text) =>
    /^gateway_inflight_requests\{service="chat"\} 1$/m.test(text),
  );
}

test('a chat-svc is killed within a realtime session: its client gets the error, and what was reported is paid for once', async () => {
  const session = await openSession();
  for (let turn = 1; turn <= 2; turn += 1) {
    session.send(asks);
    await session.until('response.done');
    await expect.poll(settledResponses, soon).toHaveLength(turn);
  }
  session.send(says('[hold]'));
  session.send(asks);
  await session.until('response.output_audio.delta');
  const index = await holder();
  await system.gateway.kill('chat-svc', { index });
  expect((await session.until('error')).at(-1)).toMatchObject({ error: { code: 'unavailable' } });
  expect(await session.closed).toMatchObject({ code: 1012 });
  const next = await openSession();
  next.send(asks);
  await next.until('response.done');
  next.webSocket.close();
  await system.gateway.restart('chat-svc', { index });
  await expect.poll(settledResponses, soon).toHaveLength(3);
  expect(await settledResponses()).toEqual(billedResponses());
});

test('a chat-svc is killed when a client has read the end of a response: its record is there', async () => {
  const { length: before } = billedResponses();
  const session = await openSession();
  session.send(asks);
  await session.until('response.done');
  const all = system.gateway.replicas('chat-svc').map(({ index }) => index);
  await Promise.all(all.map(async (index) => system.gateway.kill('chat-svc', { index })));
  session.webSocket.terminate();
  await Promise.all(all.map(async (index) => system.gateway.restart('chat-svc', { index })));
  await expect.poll(settledResponses, soon).toHaveLength(before + 1);
  expect(await settledResponses()).toEqual(billedResponses());
});

test(
  'a chat-svc is killed within 100 ms after it got streams, while another one hangs: no provider is called twice',
  { meta: { tries: runsOf(12) * atOnce } },
  async () => {
    // Earlier tests have replaced replicas.
    hung = system.gateway.pids('chat-svc').at(hungReplica);
    await suspend(hung);
    // Unconfirmed requests go to another replica from now on.
    await Promise.all(askStreams());
    const asked: ClientRequest[] = [];
    // On a slow machine the first kills may come before any stream has begun.
    const isEnough = (rounds: number): boolean => rounds >= runsOf(12) && asked.some(({ whole }) => !whole);
    for (let round = 0; round < 12 && !isEnough(round); round++) {
      const streams = askStreams();
      await pause((round * 37) % 100);
      const index = round % hungReplica;
      await system.gateway.kill('chat-svc', { index });
      const [ended] = await Promise.all([Promise.all(streams), system.gateway.restart('chat-svc', { index })]);
      asked.push(...ended);
    }
    const calls = countCalls(system);
    expect(asked.flatMap(({ mark, result }) => ((calls.get(mark) ?? 0) > 1 ? [`${mark}: ${result}`] : []))).toEqual([]);
    expect(asked.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    // Some were cut by the kill, others were answered.
    expect(new Set(asked.map(({ whole }) => whole))).toEqual(new Set([true, false]));
  },
);
