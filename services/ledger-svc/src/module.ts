import { type Consumer, createClient, type Link, type Listener, serve } from '@tallyport/bus';
import { authService, GatewayError, ledgerService } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { createPreparation, createSecrets, openConfiguredDatabase, prepareStorage } from '@tallyport/management-server';
import type { Kit, Part } from '@tallyport/service-kit';
import type { LedgerConfig } from './config.ts';
import { openContents } from './contents/open-contents.ts';
import { ledgerEvents } from './events.ts';
import { ledgerHandlers } from './handlers.ts';
import { type LedgerPlace, openLedgerWeb } from './http/open-web.ts';
import { consumeUsage } from './usage/consume-usage.ts';
import { createLedger } from './usage/keep-ledger.ts';

export { ledgerConfig } from './config.ts';
export { ledgerSocket } from './control/ledger-socket.ts';

interface LedgerTools {
  link: Link;
  database: Database;
  /** The management API, alerts and their pages; absent without web access. */
  web?: LedgerPlace;
}

/** Has connections of its own: look-ups of keys do not wait for a report over millions of records. */
export function openLedgerDatabase(kit: Kit<LedgerConfig>): Promise<Database> {
  const connections = kit.config.LEDGER_DATABASE_CONNECTIONS;
  const maxAside = Math.floor(connections / 2);
  return openConfiguredDatabase(kit, { maxConnections: connections - maxAside, maxAside });
}

/**
 * The module for usage and what follows from it. It starts without its database and throws `unavailable` until the
 * database is reachable; records wait in the journal.
 */
export function ledgerModule(kit: Kit<LedgerConfig>, { link, database, web: place }: LedgerTools): Part {
  const events = ledgerEvents(kit);
  const client = createClient(link, ledgerService);
  const secrets = createSecrets(kit.config);
  const contents = openContents({ database, secrets });
  const ledger = createLedger(database, { retentionDays: kit.config.USAGE_RETENTION_DAYS, events });
  const { ready, whenReady, ...preparation } = createPreparation({
    database,
    async prepare() {
      await prepareStorage(database, secrets);
      await ledger.start();
    },
    onAwaited: events.databaseAwaited,
    onFailed: kit.fail,
  });
  const auth = createClient(link, authService);
  const web = place && openLedgerWeb(kit, place, { database, secrets, contents, auth, ready, events });
  const { manage, serve: serveHttp } = web ?? noWeb;
  const handlers = ledgerHandlers({ database, ledger, contents, whenReady, manage, serveHttp });
  let listener: Listener | undefined;
  let consumer: Consumer | undefined;

  return {
    name: 'ledger',
    async start() {
      await preparation.start();
      listener = await serve(link, ledgerService, handlers);
      consumer = await consumeUsage({ database, journal: client.usage, ledger, ready, events });
      web?.start();
    },
    check: preparation.check,
    async stop(deadlineMs) {
      preparation.stop();
      await Promise.all([listener?.drain(deadlineMs), web?.stop()]);
      await consumer?.stop();
      ledger.stop();
    },
  };
}

const withoutWeb = (): Promise<never> =>
  Promise.reject(new GatewayError('unavailable', 'This process serves no pages. Start ledger-svc.'));

const noWeb = { manage: withoutWeb, serve: withoutWeb };
