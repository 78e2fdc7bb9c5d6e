import { authConfig, authWebConfig } from '@tallyport/auth-svc';
import { batchConfig } from '@tallyport/batch-svc';
import { catalogConfig } from '@tallyport/catalog-svc';
import { chatConfig } from '@tallyport/chat-svc';
import { consoleConfig } from '@tallyport/console-svc';
import { edgeConfig } from '@tallyport/edge';
import { imageConfig } from '@tallyport/image-svc';
import { ledgerConfig } from '@tallyport/ledger-svc';
import { mcpConfig } from '@tallyport/mcp-svc';
import { type ConfigOf, defineConfig, internalConfig, port, sandboxConfig, stateConfig } from '@tallyport/service-kit';
import { servicesSchema, withoutState } from './services.ts';

/** The settings of every service, and those of the simulated providers that run inside. */
export const allInOneConfig = defineConfig({
  ...authConfig,
  ...authWebConfig,
  ...batchConfig,
  ...catalogConfig,
  ...chatConfig,
  ...consoleConfig,
  ...edgeConfig,
  ...imageConfig,
  ...ledgerConfig,
  ...mcpConfig,
  ...sandboxConfig,
  JOURNAL_REPLICAS: stateConfig.JOURNAL_REPLICAS,
  JOURNAL_MAX_BYTES: stateConfig.JOURNAL_MAX_BYTES,
  SERVICES: {
    schema: servicesSchema,
    default: '',
    description:
      'The services that this process runs, comma-separated: edge,chat-svc. By default it runs all. With some of them it needs the NATS, Redis and Postgres of the others.',
    contradiction: withoutState,
  },
  // If both ends share this process, the secret can be generated at every start.
  INTERNAL_SECRET: { ...internalConfig.INTERNAL_SECRET, schema: internalConfig.INTERNAL_SECRET.schema.optional() },
  SANDBOX_PORT: {
    schema: port,
    default: '4010',
    description: 'Port of the simulated providers of npm start. If it is in use, a free port is chosen.',
  },
});

export type AllInOneConfig = ConfigOf<typeof allInOneConfig>;
