import { chatProviders } from '@tallyport/providers';
import {
  type ConfigOf,
  defineConfig,
  operatorConfig,
  sandboxConfig,
  sandboxIsOn,
  stateConfig,
  vendorConfig,
  wholeNumber,
} from '@tallyport/service-kit';
import { unknownModelsConfig } from '@tallyport/serving/upstreams';

/** The vendors whose keys decide which models can be called, and whether the simulated ones are listed. */
export const keyStems = [
  ...new Set(chatProviders.filter(({ auth }) => auth.kind !== 'none').map(({ keyVariable }) => keyVariable)),
];

export const catalogConfig = defineConfig({
  MODEL_DISCOVERY_MS: {
    schema: wholeNumber(0, 86_400_000),
    default: '180000',
    description:
      'How often servers with their own model list are queried: Ollama, vLLM and the providers in tallyport.yaml. 0 disables it.',
  },
  ...unknownModelsConfig,
  NATS_URL: stateConfig.NATS_URL,
  TALLYPORT_CONFIG: operatorConfig.TALLYPORT_CONFIG,
  SANDBOX: sandboxConfig.SANDBOX,
  ...vendorConfig(
    keyStems,
    chatProviders.flatMap(({ settings = [] }) => settings),
  ),
});

/** The settings of the process: those of the module, and the database. */
export const catalogProcessConfig = defineConfig({ ...catalogConfig, DATABASE_URL: stateConfig.DATABASE_URL });

export type CatalogConfig = ConfigOf<typeof catalogConfig>;

/** Whether the simulated providers are offered. */
export const offersSandbox = (config: CatalogConfig): boolean => sandboxIsOn(config, keyStems);
