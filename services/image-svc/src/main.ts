import { openBus, runProcess } from '@switchyard/service-kit';
import { imageConfig, imageModule } from './module.ts';

await runProcess({
  name: 'image-svc',
  config: imageConfig,
  async compose(kit) {
    const bus = await openBus(kit);
    return [bus, imageModule(kit, bus)];
  },
});
