import { type CommandPlaces, openByCommand } from '@tallyport/management-server';
import { createKit, createMetrics, silentLog } from '@tallyport/service-kit';
import type { Administration } from '../control/administration.ts';
import { commandClient } from '../control/command-client.ts';
import { throughSocket } from '../control/command-socket-client.ts';
import { authModule } from '../module.ts';

/** Opens the administration of accounts for one command. */
export const openAdministration = (places: CommandPlaces): Promise<Administration> =>
  openByCommand(places, {
    name: 'key',
    client: commandClient,
    throughSocket,
    module: (at) => authModule(kitOf(places), at),
  });

const kitOf = ({ DATABASE_URL, DATA_DIR, SECRETS_KEY }: CommandPlaces) =>
  createKit({
    name: 'key',
    config: {
      DATABASE_URL,
      DATA_DIR,
      SECRETS_KEY,
      ALLOW_LOCAL_TARGETS: false,
      PRIVATE_TARGETS: [],
      LOG_CONTENT: false,
      GATEWAY_CONFIG: undefined,
      GATEWAY_CONFIG_PRUNE: false,
      GATEWAY_CONFIG_SECRETS: undefined,
      BOOTSTRAP_API_KEY: undefined,
      IDENTITY_CONFIG: undefined,
      BOOTSTRAP_ADMIN_EMAIL: undefined,
      BOOTSTRAP_ADMIN_PASSWORD: undefined,
    },
    log: silentLog(),
    metrics: createMetrics({ defaults: false }),
  });
