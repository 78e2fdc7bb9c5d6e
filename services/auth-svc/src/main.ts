import { openConfiguredDatabase } from '@tallyport/management-server';
import { openBus, runProcess, showStore } from '@tallyport/service-kit';
import { openStore } from '@tallyport/store';
import { authProcessConfig } from './config.ts';
import { authModule, commandSocket, oauthClientRules } from './module.ts';

await runProcess({
  name: 'auth-svc',
  config: authProcessConfig,
  compose: async (kit) => {
    const database = await openConfiguredDatabase(kit);
    const bus = await openBus(kit);
    const { REDIS_URL: url, BASE_URL, PORT } = kit.config;
    const store = await openStore(url === undefined ? {} : { url });
    kit.onShutdown('store', () => store.close());
    showStore(kit.metrics, store);
    const publicUrl = () => BASE_URL ?? `http://127.0.0.1:${PORT}`;
    const oauthClients = oauthClientRules(kit.config);
    const web = { store, publicUrl, oauthClients };
    const parts = [bus, authModule(kit, { link: bus.link, database, web })];
    return kit.config.DATABASE_URL === undefined ? [...parts, commandSocket(kit, { link: bus.link })] : parts;
  },
});
