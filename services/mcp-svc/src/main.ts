import { runProcess } from '@switchyard/service-kit';
import { mcpConfig, mcpModule } from './module.ts';

await runProcess({ name: 'mcp-svc', config: mcpConfig, compose: (kit) => [mcpModule(kit)] });
