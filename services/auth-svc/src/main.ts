import { openBus, runProcess } from '@switchyard/service-kit';
import { authProcessConfig } from './config.ts';
import { authModule, keySocket, openConfiguredDatabase } from './module.ts';

await runProcess({
  name: 'auth-svc',
  config: authProcessConfig,
  compose: async (kit) => {
    const database = await openConfiguredDatabase(kit);
    const bus = await openBus(kit);
    const parts = [bus, authModule(kit, { link: bus.link, database })];
    return kit.config.DATABASE_URL === undefined ? [...parts, keySocket(kit, { link: bus.link })] : parts;
  },
});
