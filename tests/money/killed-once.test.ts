import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resume, suspend } from '../support/suspend.ts';
import { runsOf } from '../support/wholly.ts';
import { countCalls } from './books.ts';
import { ask, type ClientRequest } from './client.ts';
import { newMark } from './mark.ts';
import { type MoneySystem, startMoneySystem } from './system.ts';

const replicas = 3;
const hungReplica = replicas - 1;
const atOnce = 40;

let system: MoneySystem;
let hung: number | undefined;

beforeAll(async () => {
  system = await startMoneySystem({ replicas: { 'chat-svc': replicas }, readyMs: 150_000 });
  hung = system.gateway.pids('chat-svc').at(hungReplica);
}, 180_000);
afterAll(async () => {
  resume(hung);
  await system?.stop();
}, 60_000);

const askStreams = (): Promise<ClientRequest>[] =>
  Array.from({ length: atOnce }, () => ask(system, { mark: newMark(), stream: true, words: 8 }));

test(
  'a chat-svc is killed within 100 ms after it got streams, while another one hangs: no provider is called twice',
  { timeout: 600_000, meta: { tries: runsOf(12) * atOnce } },
  async () => {
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
