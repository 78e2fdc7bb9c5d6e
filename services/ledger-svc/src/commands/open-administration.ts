import { type CommandPlaces, openByCommand } from '@tallyport/management-server';
import { createKit, createMetrics, silentLog } from '@tallyport/service-kit';
import { type DemoAdministration, demoClient, demoThroughSocket } from '../control/demo-socket.ts';
import { type ReconcileClient, reconcileClient, reconcileThroughSocket } from '../control/reconcile-client.ts';
import {
  type RecalculationClient,
  recalculationClient,
  recalculationThroughSocket,
} from '../control/recalculation-socket.ts';
import { ledgerModule } from '../module.ts';

/** Opens the ledger's demo data for one command. */
export const openDemoAdministration = (places: CommandPlaces): Promise<DemoAdministration> =>
  openByCommand(places, {
    name: 'demo-data',
    client: demoClient,
    throughSocket: demoThroughSocket,
    module: (at) => ledgerModule(kitOf('demo-data', places), at),
  });

/** Opens the ledger to compare it with bills. */
export const openReconcileAdministration = (
  places: CommandPlaces,
): Promise<ReconcileClient & { close(): Promise<void> }> =>
  openByCommand(places, {
    name: 'reconcile',
    client: reconcileClient,
    throughSocket: reconcileThroughSocket,
    module: (at) => ledgerModule(kitOf('reconcile', places), at),
  });

/** Opens the ledger for one recalculation. */
export const openRecalculation = (places: CommandPlaces): Promise<RecalculationClient & { close(): Promise<void> }> =>
  openByCommand(places, {
    name: 'recalculate',
    client: recalculationClient,
    throughSocket: recalculationThroughSocket,
    module: (at) => ledgerModule(kitOf('recalculate', places), at),
  });

const kitOf = (name: string, { DATABASE_URL, DATA_DIR, SECRETS_KEY }: CommandPlaces) =>
  createKit({
    name,
    config: {
      DATABASE_URL,
      DATA_DIR,
      SECRETS_KEY,
      ALLOW_LOCAL_TARGETS: false,
      PRIVATE_TARGETS: [],
      SMTP_URL: undefined,
      SMTP_FROM: undefined,
      LEDGER_DATABASE_CONNECTIONS: 2,
      // The command must not delete usage records.
      USAGE_RETENTION_DAYS: 36_500,
    },
    log: silentLog(),
    metrics: createMetrics({ defaults: false }),
  });
