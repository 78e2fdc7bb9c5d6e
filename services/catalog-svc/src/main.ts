import { openBus, runProcess } from '@switchyard/service-kit';
import { catalogConfig, catalogModule } from './module.ts';

await runProcess({
  name: 'catalog-svc',
  config: catalogConfig,
  async compose(kit) {
    const bus = await openBus(kit);
    return [bus, catalogModule(kit, bus)];
  },
});
