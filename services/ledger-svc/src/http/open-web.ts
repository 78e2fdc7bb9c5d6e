import type { ExchangeHandler } from '@tallyport/bus';
import type { Database } from '@tallyport/database';
import { appHandler } from '@tallyport/http-exchange';
import {
  type CallerClient,
  callersBy,
  createAccountTurns,
  createAttempts,
  createManage,
  createPlannedChanges,
  type Manage,
  managementApi,
  managementApp,
  type Secrets,
} from '@tallyport/management-server';
import { type Kit, vendorAccess } from '@tallyport/service-kit';
import type { Store } from '@tallyport/store';
import { createAlertAddresses } from '../alerts/addresses/confirm-address.ts';
import { openAlerts } from '../alerts/open-alerts.ts';
import type { LedgerConfig } from '../config.ts';
import type { OpenedContents } from '../contents/open-contents.ts';
import { startContentSweeper } from '../contents/sweep-contents.ts';
import type { LedgerEvents } from '../events.ts';
import { createComparisonTurns } from '../reconcile/comparison-turns.ts';
import { showDifferences } from '../reconcile/show-differences.ts';
import { alertAddressRoutes } from './alert-addresses.ts';
import { ledgerEndpoints } from './management.ts';

export interface LedgerPlace {
  store: Store;
  /** The public address without a trailing slash; called whenever it is needed. */
  publicUrl(): string;
}

interface LedgerWebTools {
  database: Database;
  secrets: Secrets;
  contents: OpenedContents;
  auth: CallerClient;
  events: LedgerEvents;
  /** Throws `unavailable` until the database is prepared. */
  ready(): void;
}

interface LedgerWeb {
  /** The management API for services with pages. */
  manage: Manage;
  /** Answers HTTP requests. */
  serve: ExchangeHandler;
  start(): void;
  stop(): Promise<void>;
}

/** The management API of the ledger, alerts, and the page that confirms their addresses. */
export function openLedgerWeb(
  kit: Kit<LedgerConfig>,
  { store, publicUrl }: LedgerPlace,
  tools: LedgerWebTools,
): LedgerWeb {
  const { database, secrets, contents, events, ready } = tools;
  const { identify, callerOf } = callersBy(tools.auth);
  const attempts = createAttempts(store);
  const alerts = openAlerts(kit, { database, secrets, publicUrl, ready });
  const reconciling = {
    turns: createComparisonTurns(store),
    baseUrlOf: (keyVariable: string) => vendorAccess(kit.config, keyVariable).baseUrl,
  };
  const endpoints = ledgerEndpoints({ database, contents, alerts: alerts.tools, attempts, reconciling });
  const turns = createAccountTurns();
  const planned = createPlannedChanges({ database, isShared: kit.config.DATABASE_URL !== undefined });
  const onFailure = events.pageFailed;
  const app = managementApp({
    ready,
    onFailure,
    managementApi: managementApi({ endpoints, turns, identify, planned, onFailure }),
    pages: [alertAddressRoutes({ alertAddresses: createAlertAddresses({ database, attempts }) })],
  });
  let stopSweeper: (() => void) | undefined;
  let stopShowing: (() => void) | undefined;
  return {
    manage: createManage({ endpoints, turns, callerOf }),
    serve: appHandler(app),
    start() {
      alerts.start();
      stopSweeper = startContentSweeper(database, events.contentsNotSwept);
      stopShowing = showDifferences(kit, { database, onFailed: events.differencesNotShown });
    },
    async stop() {
      stopSweeper?.();
      stopShowing?.();
      await alerts.stop();
    },
  };
}
