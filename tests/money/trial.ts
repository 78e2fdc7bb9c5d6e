import { setTimeout as pause } from 'node:timers/promises';
import type { ProgramName } from '../../scripts/distributed/settings.ts';
import { ask, type ClientRequest } from './client.ts';
import type { DisturbanceRun } from './expected-losses.ts';
import { paidKinds } from './question-kinds.ts';
import { newMark } from './mark.ts';
import type { Use } from './soak/further/feature.ts';
import { talk } from './soak/further/realtime-sessions.ts';
import { openSocketTraffic } from './sockets/socket-traffic.ts';
import type { MoneySystem } from './system.ts';

export interface Kill {
  name: string;
  at: number;
}

export interface Trial {
  requests: readonly ClientRequest[];
  kills: readonly Kill[];
}

/** A trial, and all that was done to the system meanwhile. */
interface DisturbedTrial extends Trial {
  disturbed: readonly DisturbanceRun[];
  /** Realtime sessions, whose requests are among the others. */
  uses: readonly Use[];
}

const atOnce = 16;
const slowlyMs = 200;
const vendorFaults = ['status:500', 'cut:300', 'reset', 'error-in-200', 'no-usage', 'cut-after-headers', 'status:429'];

/**
 * Sends `count` requests, some of them on sockets, aborted, repeated or with vendor faults, while services and servers are
 * killed or rolled out in turn. Before each of these, a realtime session begins.
 */
export async function runTrial(system: MoneySystem, count: number): Promise<DisturbedTrial> {
  const requests: ClientRequest[] = [];
  const over = new AbortController();
  const disturbed: DisturbanceRun[] = [];
  const sockets = openSocketTraffic(system);
  const chaos = Promise.all([breakVendors(system, over.signal), disturbInTurn(system, disturbed, over.signal)]);
  let begun = 0;
  const client = async (): Promise<void> => {
    while (begun < count || (disturbed.length < everyVictim && begun < count * 5)) {
      // A fast machine would send them all before every part was killed.
      if (begun >= count) await pause(slowlyMs);
      begun += 1;
      const sent = begun % 4 === 3 ? sockets.send(Math.floor(begun / 4)) : sendNext(system, begun);
      requests.push(...(await Promise.all(sent)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  over.abort();
  const [, uses] = await chaos;
  sockets.close();
  const kills = disturbed.flatMap(({ name, victim, from }) => (isKill(name) ? [{ name: victim, at: from }] : []));
  return { requests: [...requests, ...uses.flatMap(({ asked = [] }) => asked)], kills, disturbed, uses };
}

/**
 * A third are chats with the sandbox, the others are of each kind in turn. Every tenth client leaves early,
 * every eleventh sends the same request twice at once.
 */
function sendNext(system: MoneySystem, number: number): Promise<ClientRequest>[] {
  const mark = newMark();
  const kind = number % 4 < 2 ? paidKinds[Math.floor(number / 4) % paidKinds.length] : undefined;
  const stream = number % 2 === 0;
  const asked = kind === undefined ? { words: 8 } : { kind };
  const early = number % 10 === 0 ? { stream: true, leaveAfterMs: number % 60 } : {};
  const questions = Array.from({ length: number % 11 === 0 ? 2 : 1 }, () => ({ mark, stream, ...asked, ...early }));
  return questions.map((question) => ask(system, question));
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

type Disturb = (system: MoneySystem) => Promise<void>;

const killedServer =
  (server: keyof MoneySystem['servers'], awayMs: number): Disturb =>
  async ({ servers }) => {
    await servers[server].kill('SIGKILL');
    await pause(awayMs);
    await servers[server].restart();
  };

const killedReplica =
  (service: ProgramName, index: number): Disturb =>
  async ({ gateway }) => {
    await gateway.kill(service, { index });
    await gateway.restart(service, { index });
  };

const rolledOutReplica =
  (service: ProgramName, index: number): Disturb =>
  ({ gateway }) =>
    gateway.restart(service, { index });

const killed = ' is killed';
const isKill = (name: string): boolean => name.endsWith(killed);

/** The names of what is disturbed, and how. Each is disturbed at least once, also on a slow machine. */
const disturbances: readonly (readonly [victim: string, how: string, Disturb])[] = [
  ['redis', killed, killedServer('redis', 500)],
  ['edge', killed, killedReplica('edge', 1)],
  ['nats', killed, killedServer('nats', 0)],
  ['postgres', killed, killedServer('postgres', 500)],
  ['auth-svc', killed, killedReplica('auth-svc', 0)],
  ['edge', ' is rolled out', rolledOutReplica('edge', 1)],
  ['ledger-svc', killed, killedReplica('ledger-svc', 0)],
  ['chat-svc', killed, killedReplica('chat-svc', 1)],
  ['chat-svc', ' is rolled out', rolledOutReplica('chat-svc', 0)],
];
const everyVictim = disturbances.length;

async function disturbInTurn(system: MoneySystem, done: DisturbanceRun[], signal: AbortSignal): Promise<Use[]> {
  const sessions = await talk(system);
  const uses: Promise<Use>[] = [];
  for (let turn = 0; ; turn += 1) {
    await pause(betweenMs, undefined, { signal }).catch(() => undefined);
    const [victim = '', how, disturb] = disturbances[turn % disturbances.length] ?? [];
    if (signal.aborted || disturb === undefined) return Promise.all(uses);
    uses.push(sessions.use(turn));
    const from = Date.now();
    await disturb(system);
    done.push({ name: `${victim}${how}`, victim, from, until: Date.now() });
  }
}
