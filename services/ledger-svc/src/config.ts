import { targetsConfig } from '@tallyport/outbound';
import { secretsConfig } from '@tallyport/management-server';
import { costReports } from '@tallyport/providers/cost-reports';
import {
  type ConfigOf,
  defineConfig,
  publicConfig,
  stateConfig,
  vendorAddressConfig,
  wholeNumber,
} from '@tallyport/service-kit';
import { alertsConfig } from './alerts/config.ts';

export const ledgerConfig = defineConfig({
  DATA_DIR: stateConfig.DATA_DIR,
  DATABASE_URL: stateConfig.DATABASE_URL,
  ...secretsConfig,
  ...alertsConfig,
  ...targetsConfig,
  // The dashboard compares with their bills.
  ...vendorAddressConfig([...costReports.values()].map(({ keyVariable }) => keyVariable)),
  LEDGER_DATABASE_CONNECTIONS: {
    schema: wholeNumber(2, 1_000),
    default: '10',
    description:
      'Connections to Postgres of each replica of ledger-svc. Reports use at most half of them, so that records are written meanwhile.',
  },
  USAGE_RETENTION_DAYS: {
    schema: wholeNumber(1, 36_500),
    default: '90',
    description: 'Days that individual usage records are kept, rounded to whole months. Daily totals are kept forever.',
  },
});

export type LedgerConfig = ConfigOf<typeof ledgerConfig>;

/** The settings of the process: those of the module and more. */
export const ledgerProcessConfig = defineConfig({
  ...ledgerConfig,
  NATS_URL: stateConfig.NATS_URL,
  JOURNAL_REPLICAS: stateConfig.JOURNAL_REPLICAS,
  JOURNAL_MAX_BYTES: stateConfig.JOURNAL_MAX_BYTES,
  REDIS_URL: stateConfig.REDIS_URL,
  BASE_URL: publicConfig.BASE_URL,
  PORT: publicConfig.PORT,
});
