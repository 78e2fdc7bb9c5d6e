import { openBus, runProcess } from '@tallyport/service-kit';
import { openStore } from '@tallyport/store';
import { mcpConfig, mcpModule } from './module.ts';

await runProcess({
  name: 'mcp-svc',
  config: mcpConfig,
  async compose(kit) {
    const bus = await openBus(kit);
    const { REDIS_URL: url } = kit.config;
    const store = await openStore(url === undefined ? {} : { url });
    kit.onShutdown('store', () => store.close());
    return [bus, mcpModule(kit, { link: bus.link, store })];
  },
});
