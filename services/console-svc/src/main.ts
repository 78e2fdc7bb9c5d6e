import { openBus, runProcess } from '@tallyport/service-kit';
import { consoleConfig, consoleModule } from './module.ts';

await runProcess({
  name: 'console-svc',
  config: consoleConfig,
  async compose(kit) {
    const bus = await openBus(kit);
    return [bus, consoleModule(kit, { link: bus.link })];
  },
});
