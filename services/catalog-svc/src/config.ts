import { chatProviders } from '@switchyard/providers';
import {
  type ConfigOf,
  defineConfig,
  operatorConfig,
  sandboxConfig,
  sandboxIsOn,
  stateConfig,
  vendorConfig,
} from '@switchyard/service-kit';

/** Whether one of these has a key decides whether the simulated models are listed. */
export const keyStems = [
  ...new Set(chatProviders.filter(({ auth }) => auth.kind !== 'none').map(({ keyVariable }) => keyVariable)),
];

export const catalogConfig = defineConfig({
  NATS_URL: stateConfig.NATS_URL,
  SWITCHYARD_CONFIG: operatorConfig.SWITCHYARD_CONFIG,
  SANDBOX: sandboxConfig.SANDBOX,
  ...vendorConfig(keyStems),
});

/** What the process reads besides what the module reads. */
export const catalogProcessConfig = defineConfig({ ...catalogConfig, DATABASE_URL: stateConfig.DATABASE_URL });

export type CatalogConfig = ConfigOf<typeof catalogConfig>;

/** Whether the simulated providers are offered. */
export const offersSandbox = (config: CatalogConfig): boolean => sandboxIsOn(config, keyStems);
