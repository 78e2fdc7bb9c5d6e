import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Trouble } from '@tallyport/database/testing';
import type { ProgramName } from '../../../scripts/distributed/settings.ts';
import type { TestServer } from '../../support/server.ts';
import type { MoneySystem } from '../system.ts';

export interface Disturbance {
  name: string;
  /** The service or server that is disturbed. */
  victim: string;
  isKill: boolean;
  run(system: MoneySystem): Promise<void>;
}

/** All disturbances, in the order in which a soak repeats them. `chats` and `edge` are the programs with these services. */
export const disturbancesOf = ({ chats, edge }: Record<'chats' | 'edge', ProgramName>): readonly Disturbance[] => [
  killedReplica(chats),
  hungReplica(chats, 12_000),
  rolledOutReplica(chats),
  killedServer('redis', 1),
  hungServer('redis', 5_000),
  killedServer('nats', 1),
  hungServer('nats', 5_000),
  killedReplica('auth-svc'),
  hungReplica('auth-svc', 8_000),
  killedReplica('ledger-svc'),
  hungReplica('ledger-svc', 8_000),
  killedServer('postgres', 1),
  hungServer('postgres', 5_000),
  troubledDatabase('refuses our login', 10_000),
  troubledDatabase('has locked tables', 10_000),
  // Long enough to fill the journal and the folder of spilled records.
  troubledDatabase('refuses connections', 20_000),
  killedReplica(edge),
  hungReplica(edge, 5_000),
  rolledOutReplica(edge),
  killedServer('redis', 5),
];

/** Disturbs the second replica of each service, so that the first one runs all the time. */
const second = { index: 1 };

function killedReplica(service: ProgramName): Disturbance {
  return {
    name: `${service} is killed`,
    victim: service,
    isKill: true,
    run: async ({ gateway }) => {
      await gateway.kill(service, second);
      await gateway.restart(service, second);
    },
  };
}

/** Ends in an orderly way, and is started again. */
function rolledOutReplica(service: ProgramName): Disturbance {
  return {
    name: `${service} is rolled out`,
    victim: service,
    isKill: false,
    run: ({ gateway }) => gateway.restart(service, second),
  };
}

function hungReplica(service: ProgramName, forMs: number): Disturbance {
  return {
    name: `${service} hangs`,
    victim: service,
    isKill: false,
    run: ({ gateway }) => hang(gateway.pids(service).slice(1), forMs),
  };
}

function killedServer(server: keyof MoneySystem['servers'], times: number): Disturbance {
  return {
    name: times === 1 ? `${server} is killed` : `${server} is killed ${times} times`,
    victim: server,
    isKill: true,
    run: async ({ servers }) => {
      for (let time = 0; time < times; time += 1) {
        await servers[server].kill('SIGKILL');
        await pause(500);
        await servers[server].restart();
        await pause(500);
      }
    },
  };
}

function hungServer(server: keyof MoneySystem['servers'], forMs: number): Disturbance {
  return {
    name: `${server} hangs`,
    victim: server,
    isKill: false,
    run: async ({ servers }) => hang(await processesOf(servers[server]), forMs),
  };
}

function troubledDatabase(trouble: Trouble, forMs: number): Disturbance {
  return {
    name: `the database ${trouble}`,
    victim: 'postgres',
    isKill: false,
    run: async ({ troubled }) => {
      const end = await troubled.begin(trouble);
      await pause(forMs);
      await end();
    },
  };
}

/** The process of a server and its children, which Postgres uses for its work. */
async function processesOf({ pid }: TestServer): Promise<number[]> {
  if (pid === undefined) return [];
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.trim().split(' ').filter(Boolean).map(Number)];
}

async function hang(pids: readonly number[], forMs: number): Promise<void> {
  signalAll(pids, 'SIGSTOP');
  try {
    await pause(forMs);
  } finally {
    signalAll(pids, 'SIGCONT');
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // A Postgres process that has ended in the meantime.
    }
  }
}
