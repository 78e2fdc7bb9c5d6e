import { collectLessOften, openBus, runProcess, showStore } from '@tallyport/service-kit';
import { openStore } from '@tallyport/store';
import { edgeConfig } from './config.ts';
import { edgeModule } from './module.ts';

collectLessOften();
await runProcess({
  name: 'edge',
  config: edgeConfig,
  async compose(kit) {
    const bus = await openBus(kit);
    const store = await openStore({ ...(kit.config.REDIS_URL && { url: kit.config.REDIS_URL }) });
    kit.onShutdown('store', () => store.close());
    showStore(kit.metrics, store);
    return [bus, edgeModule(kit, { link: bus.link, store, consoleUrls: () => kit.config.CONSOLE_URL })];
  },
});
