import { rm } from 'node:fs/promises';
import { createClient, inProcessLink, type Link } from '@tallyport/bus';
import { authService } from '@tallyport/contracts';
import { type Database, openDatabase } from '@tallyport/database';
import { createKit, createMetrics, type Kit, type Part, silentLog } from '@tallyport/service-kit';
import type { AuthConfig } from '../config.ts';
import { authModule } from '../module.ts';

export interface OpenedAuth {
  kit: Kit<AuthConfig>;
  database: Database;
  directory: string;
  link: Link;
  auth: Part;
  client: ReturnType<typeof createClient<typeof authService.operations>>;
  remove(): Promise<void>;
}

export function testKit(config: Partial<AuthConfig> = {}): Kit<AuthConfig> {
  return createKit({
    name: 'auth-svc',
    config: {
      DATA_DIR: './data',
      DATABASE_URL: undefined,
      LOG_CONTENT: false,
      SECRETS_KEY: undefined,
      ALLOW_LOCAL_TARGETS: false,
      PRIVATE_TARGETS: [],
      GATEWAY_CONFIG: undefined,
      GATEWAY_CONFIG_PRUNE: false,
      GATEWAY_CONFIG_SECRETS: undefined,
      IDENTITY_CONFIG: undefined,
      BOOTSTRAP_API_KEY: undefined,
      BOOTSTRAP_ADMIN_EMAIL: undefined,
      BOOTSTRAP_ADMIN_PASSWORD: undefined,
      ...config,
    },
    log: silentLog(),
    metrics: createMetrics({ defaults: false }),
  });
}

/** Starts auth-svc on a prepared data directory, which `remove` deletes, with an in-process link. */
export async function openAuth(directory: string): Promise<OpenedAuth> {
  const database = await openDatabase({ directory });
  const link = inProcessLink();
  const kit = testKit({ DATA_DIR: directory });
  const auth = authModule(kit, { link, database });
  await auth.start?.();
  const remove = async () => {
    await auth.stop?.(1_000);
    await link.close();
    await database.close();
    await rm(directory, { recursive: true });
  };
  return { kit, database, directory, link, auth, client: createClient(link, authService), remove };
}
