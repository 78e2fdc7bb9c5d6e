import { openBus, runProcess } from '@switchyard/service-kit';
import { mcpConfig, mcpModule } from './module.ts';

await runProcess({
  name: 'mcp-svc',
  config: mcpConfig,
  async compose(kit) {
    const bus = await openBus(kit);
    return [bus, mcpModule(kit, bus)];
  },
});
