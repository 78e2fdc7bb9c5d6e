import { authConfig, authWebConfig } from '@switchyard/auth-svc';
import { catalogConfig } from '@switchyard/catalog-svc';
import { chatConfig } from '@switchyard/chat-svc';
import { edgeConfig } from '@switchyard/edge';
import { imageConfig } from '@switchyard/image-svc';
import { mcpConfig } from '@switchyard/mcp-svc';
import { type ConfigOf, defineConfig, internalConfig, port, sandboxConfig } from '@switchyard/service-kit';

/** What every service reads, and where the simulated providers listen when they run inside. */
export const allInOneConfig = defineConfig({
  ...authConfig,
  ...authWebConfig,
  ...catalogConfig,
  ...chatConfig,
  ...edgeConfig,
  ...imageConfig,
  ...mcpConfig,
  ...sandboxConfig,
  // Both ends share this process, so it can be made at every start.
  INTERNAL_SECRET: { ...internalConfig.INTERNAL_SECRET, schema: internalConfig.INTERNAL_SECRET.schema.optional() },
  SANDBOX_PORT: {
    schema: port,
    default: '4010',
    description: 'Port of the simulated providers of npm start. When it is taken another one is chosen.',
  },
});

export type AllInOneConfig = ConfigOf<typeof allInOneConfig>;
