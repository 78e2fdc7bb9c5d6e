import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, inProcessLink, type Link } from '@tallyport/bus';
import { catalogService } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { createKit, createMetrics, type Metrics, readConfig, silentLog } from '@tallyport/service-kit';
import { catalogConfig, catalogModule } from '../module.ts';

export interface OpenedCatalog {
  link: Link;
  client: ReturnType<typeof createClient<(typeof catalogService)['operations']>>;
  metrics: Metrics;
  /** Replaces the operator's file. */
  write(text: string): Promise<void>;
  stop(): Promise<void>;
}

export interface CatalogOptions {
  /** The operator's file at the start; an empty file when absent. */
  text?: string;
  database?: Database;
  /** Shared by replicas. */
  link?: Link;
  fail?: (error: unknown) => void;
  /** As long as a slow machine may need by default. */
  databaseWaitMs?: number;
  /** The default disables discovery. */
  environment?: Record<string, string>;
}

/** Starts catalog-svc with its own operator's file. */
export async function openCatalog({
  text,
  database,
  link = inProcessLink(),
  fail,
  databaseWaitMs = 30_000,
  environment = { MODEL_DISCOVERY_MS: '0' },
}: CatalogOptions = {}): Promise<OpenedCatalog> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-'));
  const file = join(folder, 'tallyport.yaml');
  await writeFile(file, text ?? '');
  const config = readConfig(catalogConfig, { environment: { SANDBOX: 'on', TALLYPORT_CONFIG: file, ...environment } });
  const metrics = createMetrics({ defaults: false });
  const kit = createKit({ name: 'catalog-svc', config, log: silentLog(), metrics, ...(fail && { fail }) });
  const part = catalogModule(kit, { link, database, databaseWaitMs });
  try {
    await part.start?.();
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
  return {
    link,
    client: createClient(link, catalogService),
    metrics,
    write: (next) => writeFile(file, next),
    async stop() {
      await part.stop?.(1_000);
      await rm(folder, { recursive: true });
    },
  };
}
