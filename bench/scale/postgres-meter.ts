import { readFileSync } from 'node:fs';
import { type Database, openDatabase } from '../../packages/database/src/index.ts';
import { startPostgres } from '../../tests/support/servers.ts';
import { cpuSeconds, ownSeconds, type Pids, sum } from '../measure/cpu.ts';
import type { Undo } from '../support/undo.ts';

interface MeteredPostgres {
  database: Database;
  /** Microseconds of CPU that Postgres and this process have needed so far. */
  usedMicros(): number;
}

/** A Postgres of its own, with all tables. */
export async function startMeteredPostgres(undo: Undo): Promise<MeteredPostgres> {
  const postgres = await startPostgres();
  undo.add(postgres.stop);
  const database = await openDatabase({ url: postgres.url });
  undo.add(() => database.close());
  await database.migrate();
  return { database, usedMicros: () => (sum(cpuSeconds(withChildren(postgres.pid))) + ownSeconds()) * 1e6 };
}

/** Postgres has a process for each connection. */
function withChildren(pid: number | undefined): Pids {
  if (pid === undefined) throw new Error('the CPU time of a Postgres in a container cannot be measured');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ');
  return Object.fromEntries([String(pid), ...children].map((each) => [each, Number(each)]));
}
