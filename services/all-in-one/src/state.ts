import { inProcessLink } from '@tallyport/bus';
import type { Database } from '@tallyport/database';
import { openLedgerDatabase } from '@tallyport/ledger-svc';
import { openConfiguredDatabase } from '@tallyport/management-server';
import { type Kit, openBus, type OpenBus, showStore, tracedLink } from '@tallyport/service-kit';
import { openAnswerStore } from '@tallyport/serving/cache';
import { openStore, type Store } from '@tallyport/store';
import type { AllInOneConfig } from './config.ts';
import { needs, type ServiceName } from './services.ts';

export interface State {
  bus: OpenBus;
  store: Store;
  answerStore: Store;
  /** Present if a service needs it. */
  database: Database | undefined;
  /** Connections of its own for ledger-svc; the same database where it is embedded. */
  ledgerDatabase: Database | undefined;
}

/** Opens what the services of a process share. NATS, Redis and Postgres are embedded unless a URL names a real server. */
export async function openState(kit: Kit<AllInOneConfig>, services: readonly ServiceName[]): Promise<State> {
  const { DATABASE_URL, REDIS_URL, NATS_URL } = kit.config;
  const hasLedger = services.includes('ledger-svc');
  const others = services.filter((service) => service !== 'ledger-svc');
  const database = needs(others, 'DATABASE_URL') ? await openConfiguredDatabase(kit) : undefined;
  const isShared = DATABASE_URL === undefined || !hasLedger;
  const ledgerDatabase = isShared ? database : await openLedgerDatabase(kit);
  const store = await openStore(REDIS_URL === undefined ? {} : { url: REDIS_URL });
  kit.onShutdown('store', () => store.close());
  showStore(kit.metrics, store);
  const answerStore = await openAnswerStore(kit, store);
  const bus = NATS_URL === undefined ? embeddedBus(kit) : await openBus(kit, services);
  return { bus, store, answerStore, database, ledgerDatabase };
}

function embeddedBus({ tracing }: Kit): OpenBus {
  const link = tracing === undefined ? inProcessLink() : tracedLink(inProcessLink(), tracing);
  return { name: 'bus', link, stop: () => link.close() };
}
