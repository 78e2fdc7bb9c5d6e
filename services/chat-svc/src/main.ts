import { openBus, runProcess } from '@switchyard/service-kit';
import { chatConfig, chatModule } from './module.ts';

await runProcess({
  name: 'chat-svc',
  config: chatConfig,
  async compose(kit) {
    const bus = await openBus(kit);
    return [bus, chatModule(kit, bus)];
  },
});
