import { authConfig, authWebConfig } from '@tallyport/auth-svc';
import { catalogConfig } from '@tallyport/catalog-svc';
import { chatConfig } from '@tallyport/chat-svc';
import { consoleConfig } from '@tallyport/console-svc';
import { edgeConfig } from '@tallyport/edge';
import { imageConfig } from '@tallyport/image-svc';
import { ledgerConfig } from '@tallyport/ledger-svc';
import { mcpConfig } from '@tallyport/mcp-svc';
import { type ConfigOf, defineConfig, internalConfig, port, sandboxConfig } from '@tallyport/service-kit';

/** The settings of every service, and those of the simulated providers that run inside. */
export const allInOneConfig = defineConfig({
  ...authConfig,
  ...authWebConfig,
  ...catalogConfig,
  ...chatConfig,
  ...consoleConfig,
  ...edgeConfig,
  ...imageConfig,
  ...ledgerConfig,
  ...mcpConfig,
  ...sandboxConfig,
  // Both ends share this process, so the secret can be generated at every start.
  INTERNAL_SECRET: { ...internalConfig.INTERNAL_SECRET, schema: internalConfig.INTERNAL_SECRET.schema.optional() },
  SANDBOX_PORT: {
    schema: port,
    default: '4010',
    description: 'Port of the simulated providers of npm start. If it is in use, a free port is chosen.',
  },
});

export type AllInOneConfig = ConfigOf<typeof allInOneConfig>;
