import { rm } from 'node:fs/promises';
import { inProcessLink, type Link } from '@tallyport/bus';
import { type Database, openDatabase } from '@tallyport/database';
import { createKit, createMetrics, type Kit, silentLog } from '@tallyport/service-kit';
import type { LedgerConfig } from '../config.ts';
import { ledgerModule } from '../module.ts';

export function ledgerKit(config: Partial<LedgerConfig> = {}): Kit<LedgerConfig> {
  return createKit({
    name: 'ledger-svc',
    config: {
      DATA_DIR: './data',
      DATABASE_URL: undefined,
      SECRETS_KEY: undefined,
      ALLOW_LOCAL_TARGETS: false,
      PRIVATE_TARGETS: [],
      SMTP_URL: undefined,
      SMTP_FROM: undefined,
      LEDGER_DATABASE_CONNECTIONS: 10,
      USAGE_RETENTION_DAYS: 90,
      ...config,
    },
    log: silentLog(),
    metrics: createMetrics({ defaults: false }),
  });
}

interface OpenedLedger {
  kit: Kit<LedgerConfig>;
  database: Database;
  directory: string;
  link: Link;
  remove(): Promise<void>;
}

/** Starts ledger-svc on a prepared data directory, which `remove` deletes, with an in-process link. */
export async function openLedger(directory: string): Promise<OpenedLedger> {
  const database = await openDatabase({ directory });
  const link = inProcessLink();
  const kit = ledgerKit({ DATA_DIR: directory });
  const ledger = ledgerModule(kit, { link, database });
  await ledger.start?.();
  const remove = async () => {
    await ledger.stop?.(1_000);
    await link.close();
    await database.close();
    await rm(directory, { recursive: true });
  };
  return { kit, database, directory, link, remove };
}
