import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '@tallyport/all-in-one';
import { ensureLocalKey } from '@tallyport/auth-svc';
import type { Database } from '@tallyport/database';
import { createTestDatabase } from '@tallyport/database/testing';
import { createKit, createLog, createMetrics, processConfig, readConfig } from '@tallyport/service-kit';
import { adminServer } from '../../packages/service-kit/src/admin/admin-server.ts';
import { createLifetime } from '../../packages/service-kit/src/life/lifetime.ts';
import { createReadiness } from '../../packages/service-kit/src/parts/readiness.ts';
import { allInOneConfig } from '../../services/all-in-one/src/config.ts';

export interface Gateway {
  baseUrl: string;
  adminUrl: string;
  apiKey: string;
  sandboxUrl: string;
  /** `DATA_DIR`. */
  directory: string;
  database: Database;
  /** The path that creates the first owner, if there is none. */
  setupPath(): string | undefined;
  /** What was logged so far. */
  output(): string;
  stop(): Promise<void>;
}

const stopMs = 30_000;

/**
 * Starts all services of `npm start` in the process of the test, on free ports and a Postgres database of its own. It takes
 * a tenth of the processor time of a process, so each file of tests has its own gateway, with its own settings. Tests of
 * starts, signals, commands and deaths start the program (`startOneProcess`).
 */
export async function startGateway(environment: Readonly<Record<string, string>> = {}): Promise<Gateway> {
  const place = await openPlace(environment);
  const config = readConfig(
    { ...processConfig, ...allInOneConfig },
    { environment: { ...defaults, ...place.settings, ...environment } },
  );
  let output = '';
  const logFor = (service: string) =>
    createLog({ service, level: config.LOG_LEVEL, destination: { write: (line) => (output += line) } });
  const log = logFor('tallyport');
  const metrics = createMetrics();
  const lifetime = createLifetime(log);
  const kit = createKit({
    name: 'tallyport',
    config,
    log,
    logFor,
    metrics,
    onShutdown: (name, stop) => lifetime.adopt({ name, stop }),
  });
  const stop = async () => {
    const isClean = await lifetime.stop(stopMs);
    await place.remove();
    if (!isClean) throw new Error(`The gateway did not stop cleanly:\n${output}`);
  };
  try {
    const readiness = createReadiness(lifetime.phase, lifetime.parts);
    const admin = adminServer({ host: config.ADMIN_HOST, port: config.ADMIN_PORT, metrics, readiness });
    await lifetime.start([admin]);
    const { parts, database, publicUrl, sandboxUrl = '', setupPath } = await compose(kit);
    if (database === undefined) throw new Error('A gateway with all services has a database.');
    await lifetime.start(parts);
    lifetime.running();
    const apiKey = config.BOOTSTRAP_API_KEY ?? (await ensureLocalKey(database, config.DATA_DIR)).key;
    return {
      baseUrl: publicUrl(),
      adminUrl: admin.address(),
      apiKey,
      sandboxUrl,
      directory: config.DATA_DIR,
      database,
      setupPath,
      output: () => output,
      stop,
    };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

const defaults = {
  PORT: '0',
  ADMIN_PORT: '0',
  SANDBOX_PORT: '0',
  // One request in a hundred would try another offer than the test expects.
  ROUTING_EXPLORATION: '0',
};

interface DataPlace {
  settings: Record<'DATA_DIR' | 'DATABASE_URL' | 'FILES_DIR' | 'SECRETS_KEY', string>;
  remove(): Promise<void>;
}

/** The folder and the database of a gateway, as far as its settings do not name them. */
async function openPlace({ DATA_DIR, DATABASE_URL }: Readonly<Record<string, string>>): Promise<DataPlace> {
  const directory = DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'tallyport-data-')));
  const database =
    DATABASE_URL === undefined ? await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '') : undefined;
  return {
    settings: {
      DATA_DIR: directory,
      DATABASE_URL: DATABASE_URL ?? database?.url ?? '',
      FILES_DIR: join(directory, 'files'),
      SECRETS_KEY: randomBytes(32).toString('base64'),
    },
    async remove() {
      await database?.drop();
      if (DATA_DIR === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}
