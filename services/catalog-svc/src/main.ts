import { openDatabase } from '@tallyport/database';
import { openBus, runProcess } from '@tallyport/service-kit';
import { catalogProcessConfig } from './config.ts';
import { catalogModule } from './module.ts';

await runProcess({
  name: 'catalog-svc',
  config: catalogProcessConfig,
  async compose(kit) {
    const { DATABASE_URL: url } = kit.config;
    // Only one process can open the embedded database, and that is auth-svc.
    const database = url === undefined ? undefined : await openDatabase({ url });
    if (database) kit.onShutdown('database', () => database.close());
    const bus = await openBus(kit);
    return [bus, catalogModule(kit, { link: bus.link, database })];
  },
});
