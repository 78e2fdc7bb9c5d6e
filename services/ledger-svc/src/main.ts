import { openBus, runProcess, showStore } from '@tallyport/service-kit';
import { openStore } from '@tallyport/store';
import { ledgerProcessConfig } from './config.ts';
import { ledgerModule, openLedgerDatabase } from './module.ts';

await runProcess({
  name: 'ledger-svc',
  config: ledgerProcessConfig,
  compose: async (kit) => {
    const database = await openLedgerDatabase(kit);
    const bus = await openBus(kit);
    const { REDIS_URL: url, BASE_URL, PORT } = kit.config;
    const store = await openStore(url === undefined ? {} : { url });
    kit.onShutdown('store', () => store.close());
    showStore(kit.metrics, store);
    const publicUrl = () => BASE_URL ?? `http://127.0.0.1:${PORT}`;
    return [bus, ledgerModule(kit, { link: bus.link, database, web: { store, publicUrl } })];
  },
});
