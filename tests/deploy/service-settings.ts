import { compositions } from '@tallyport/contracts';
import { ownEnvironment } from '../../scripts/launch/node-flags.mjs';
import { processConfig, type Settings } from '@tallyport/service-kit';
import { allInOneConfig } from '../../services/all-in-one/src/config.ts';
import { authProcessConfig } from '../../services/auth-svc/src/config.ts';
import { batchProcessConfig } from '../../services/batch-svc/src/config.ts';
import { catalogProcessConfig } from '../../services/catalog-svc/src/config.ts';
import { chatConfig } from '../../services/chat-svc/src/config.ts';
import { consoleConfig } from '../../services/console-svc/src/config.ts';
import { edgeConfig } from '../../services/edge/src/config.ts';
import { ledgerProcessConfig } from '../../services/ledger-svc/src/config.ts';
import { imageConfig } from '../../services/image-svc/src/config.ts';
import { mcpConfig } from '../../services/mcp-svc/src/config.ts';

const own: Readonly<Record<string, Settings>> = {
  'all-in-one': allInOneConfig,
  'auth-svc': authProcessConfig,
  'catalog-svc': catalogProcessConfig,
  'chat-svc': chatConfig,
  'console-svc': consoleConfig,
  edge: edgeConfig,
  'image-svc': imageConfig,
  'batch-svc': batchProcessConfig,
  'ledger-svc': ledgerProcessConfig,
  'mcp-svc': mcpConfig,
};

/** All images with settings. */
export const imageNames = Object.keys(own);

/** The services that run as separate processes. */
export const serviceNames = imageNames.filter((name) => name !== 'all-in-one');

/** All settings that the process of this service reads. */
export function settingsOf(service: string): Settings {
  const settings = own[service];
  if (settings === undefined) throw new Error(`There is no service ${service}.`);
  return { ...processConfig, ...settings };
}

/** The settings of the pods named edge in the compact form: those of the services that run in them. */
export const compactSettings: Settings = {
  SERVICES: allInOneConfig.SERVICES,
  ...Object.assign({}, ...compositions.compact.map(settingsOf)),
};

/** A sample value for each secret, because the deployment files contain only references. */
export const secretSamples: Readonly<Record<string, string>> = {
  BOOTSTRAP_API_KEY: 'a-key-for-this-test-only',
  DATABASE_URL: 'postgres://tallyport:password@postgres:5432/tallyport',
  INTERNAL_SECRET: '0123456789abcdef0123456789abcdef',
  NATS_URL: 'nats://tallyport:password@nats:4222',
  REDIS_URL: 'redis://:password@redis:6379',
  SECRETS_KEY: 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
};

/** Variables for the runtime of a service, not for the service itself. */
export const runtimeVariables: Readonly<Record<string, Readonly<Record<string, string>>>> = ownEnvironment;

/** Addresses and folders that the image sets. Values for the host machine would be wrong in a container. */
export const isOfImage = (name: string): boolean =>
  /^((ADMIN|CONSOLE)_)?(HOST|PORT)$|^DATA_DIR$|^SANDBOX_PORT$/.test(name);
