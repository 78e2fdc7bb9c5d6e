import { openConfiguredDatabase } from '@tallyport/management-server';
import { openBus, runProcess } from '@tallyport/service-kit';
import { batchProcessConfig } from './config.ts';
import { batchModule } from './module.ts';

await runProcess({
  name: 'batch-svc',
  config: batchProcessConfig,
  async compose(kit) {
    const database = await openConfiguredDatabase(kit);
    const bus = await openBus(kit);
    return [bus, batchModule(kit, { link: bus.link, database })];
  },
});
