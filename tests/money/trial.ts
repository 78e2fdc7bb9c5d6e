import { setTimeout as pause } from 'node:timers/promises';
import { ask, type ClientRequest } from './client.ts';
import { paidKinds } from './question-kinds.ts';
import { newMark } from './mark.ts';
import type { MoneySystem } from './system.ts';

export interface Kill {
  name: string;
  at: number;
}

export interface Trial {
  requests: readonly ClientRequest[];
  kills: readonly Kill[];
}

const atOnce = 16;
const slowlyMs = 200;
const vendorFaults = ['status:500', 'cut:300', 'reset', 'error-in-200', 'no-usage', 'cut-after-headers', 'status:429'];

/**
 * Sends `count` requests, some of them aborted, repeated or with vendor faults, while services and servers are killed
 * in turn.
 */
export async function runTrial(system: MoneySystem, count: number): Promise<Trial> {
  const requests: ClientRequest[] = [];
  const kills: Kill[] = [];
  const over = new AbortController();
  const chaos = Promise.all([breakVendors(system, over.signal), killInTurn(system, kills, over.signal)]);
  let begun = 0;
  const client = async (): Promise<void> => {
    while (begun < count || (kills.length < everyVictim && begun < count * 5)) {
      // A fast machine would send them all before every part was killed.
      if (begun >= count) await pause(slowlyMs);
      begun += 1;
      requests.push(...(await sendNext(system, begun)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  over.abort();
  await chaos;
  return { requests, kills };
}

/**
 * Every other request is a chat with the sandbox, the others are of each kind in turn. Every tenth client leaves early,
 * every eleventh sends the same request twice at once.
 */
function sendNext(system: MoneySystem, number: number): Promise<ClientRequest[]> {
  const mark = newMark();
  const kind = number % 4 < 2 ? paidKinds[Math.floor(number / 4) % paidKinds.length] : undefined;
  const stream = number % 2 === 0;
  const asked = kind === undefined ? { words: 8 } : { kind };
  const early = number % 10 === 0 ? { stream: true, leaveAfterMs: number % 60 } : {};
  const questions = Array.from({ length: number % 11 === 0 ? 2 : 1 }, () => ({ mark, stream, ...asked, ...early }));
  return Promise.all(questions.map((question) => ask(system, question)));
}

export async function breakVendors({ simulator }: MoneySystem, signal: AbortSignal): Promise<void> {
  const providers = ['sandbox-a', 'anthropic', 'sandbox-b', 'openai', 'sandbox-c', 'google'];
  for (let turn = 0; !signal.aborted; turn += 1) {
    const provider = providers[turn % providers.length] ?? '';
    simulator.faults.set({ provider, fault: vendorFaults[turn % vendorFaults.length] ?? '', times: 3 });
    await pause(100, undefined, { signal }).catch(() => undefined);
  }
  simulator.faults.clear();
}

const betweenMs = 1_500;
/** Redis, NATS, Postgres, auth-svc, chat-svc and ledger-svc: each is killed at least once, also on a slow machine. */
const everyVictim = 6;

async function killInTurn({ gateway, servers }: MoneySystem, kills: Kill[], signal: AbortSignal): Promise<void> {
  const victims: [string, () => Promise<void>][] = [
    [
      'redis',
      () =>
        servers.redis
          .kill('SIGKILL')
          .then(() => pause(500))
          .then(() => servers.redis.restart()),
    ],
    ['nats', () => servers.nats.kill('SIGKILL').then(() => servers.nats.restart())],
    [
      'postgres',
      () =>
        servers.postgres
          .kill('SIGKILL')
          .then(() => pause(500))
          .then(() => servers.postgres.restart()),
    ],
    ['auth-svc', () => gateway.kill('auth-svc', { index: 0 }).then(() => gateway.restart('auth-svc', { index: 0 }))],
    [
      'ledger-svc',
      () => gateway.kill('ledger-svc', { index: 0 }).then(() => gateway.restart('ledger-svc', { index: 0 })),
    ],
    ['chat-svc', () => gateway.kill('chat-svc', { index: 1 }).then(() => gateway.restart('chat-svc', { index: 1 }))],
  ];
  for (let turn = 0; !signal.aborted; turn += 1) {
    await pause(betweenMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const [name, kill] = victims[turn % victims.length] ?? ['', async () => {}];
    kills.push({ name, at: Date.now() });
    await kill();
  }
}
