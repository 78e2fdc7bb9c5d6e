import { setTimeout as pause } from 'node:timers/promises';
import { type MoneySystem, newMark } from './system.ts';

/** One request of a client, and whether it saw the end of a good answer. */
export interface Asked {
  mark: string;
  /** The client left on purpose. */
  left: boolean;
  whole: boolean;
  /** When it began and when it was over for the client, in milliseconds. */
  from: number;
  until: number;
  /** It was answered with what somebody paid for before: that costs nothing, and its line is not waited for. */
  hit: boolean;
}

export interface Kill {
  name: string;
  at: number;
}

export interface Trial {
  asked: readonly Asked[];
  kills: readonly Kill[];
}

const atOnce = 16;
const faults = ['status:500', 'cut:300', 'reset', 'error-in-200', 'no-usage', 'cut-after-headers', 'status:429'];

/** So many requests, some of them left, repeated or met by a vendor's faults, while one thing after the other is killed. */
export async function runTrial(system: MoneySystem, count: number): Promise<Trial> {
  const asked: Asked[] = [];
  const kills: Kill[] = [];
  const over = new AbortController();
  const chaos = Promise.all([breakVendors(system, over.signal), killInTurn(system, kills, over.signal)]);
  let begun = 0;
  const client = async (): Promise<void> => {
    while (begun < count || (kills.length < everyVictim && begun < count * 5)) {
      begun += 1;
      asked.push(...(await askSome(system, begun)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  over.abort();
  await chaos;
  return { asked, kills };
}

/** Most ask once; every tenth leaves early, every eleventh asks the same twice at once. */
function askSome(system: MoneySystem, number: number): Promise<Asked[]> {
  const mark = newMark();
  const stream = number % 2 === 0;
  const early = number % 10 === 0 ? { stream: true, leaveAfterMs: number % 60 } : {};
  const questions = Array.from({ length: number % 11 === 0 ? 2 : 1 }, () => ({ mark, stream, ...early }));
  return Promise.all(questions.map((question) => ask(system, question)));
}

interface Question {
  mark: string;
  stream: boolean;
  leaveAfterMs?: number;
}

async function ask({ gateway }: MoneySystem, { mark, stream, leaveAfterMs }: Question): Promise<Asked> {
  const leaving = new AbortController();
  const timer = leaveAfterMs === undefined ? undefined : setTimeout(() => leaving.abort(), leaveAfterMs);
  const left = leaveAfterMs !== undefined;
  const from = Date.now();
  try {
    const response = await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.apiKey}`,
        'content-type': 'application/json',
        'x-request-id': mark,
      },
      body: JSON.stringify({
        model: 'sandbox-chat',
        stream,
        messages: [{ role: 'user', content: `${mark} [words:8]` }],
      }),
      signal: leaving.signal,
    });
    const text = await response.text();
    const hit = response.headers.get('x-switchyard-cache') === 'HIT';
    const isWhole = stream ? text.trimEnd().endsWith('data: [DONE]') : response.status === 200 && text.endsWith('}');
    return { mark, left, from, until: Date.now(), whole: isWhole && !hit, hit };
  } catch {
    return { mark, left, from, until: Date.now(), whole: false, hit: false };
  } finally {
    clearTimeout(timer);
  }
}

async function breakVendors({ simulator }: MoneySystem, signal: AbortSignal): Promise<void> {
  const providers = ['sandbox-a', 'sandbox-b', 'sandbox-c'];
  for (let turn = 0; !signal.aborted; turn += 1) {
    const provider = providers[turn % providers.length] ?? '';
    simulator.faults.set({ provider, fault: faults[turn % faults.length] ?? '', times: 3 });
    await pause(100, undefined, { signal }).catch(() => undefined);
  }
  simulator.faults.clear();
}

const betweenMs = 1_500;
/** Redis, NATS, Postgres, auth-svc and chat-svc: each at least once, however slow the machine is to bring them back. */
const everyVictim = 5;

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
