import { ownEnvironment } from '../../scripts/launch/node-flags.mjs';
import { processConfig, type Settings } from '@switchyard/service-kit';
import { allInOneConfig } from '../../services/all-in-one/src/config.ts';
import { authProcessConfig } from '../../services/auth-svc/src/config.ts';
import { catalogProcessConfig } from '../../services/catalog-svc/src/config.ts';
import { chatConfig } from '../../services/chat-svc/src/config.ts';
import { edgeConfig } from '../../services/edge/src/config.ts';
import { imageConfig } from '../../services/image-svc/src/config.ts';
import { mcpConfig } from '../../services/mcp-svc/src/config.ts';

const own: Readonly<Record<string, Settings>> = {
  'all-in-one': allInOneConfig,
  'auth-svc': authProcessConfig,
  'catalog-svc': catalogProcessConfig,
  'chat-svc': chatConfig,
  edge: edgeConfig,
  'image-svc': imageConfig,
  'mcp-svc': mcpConfig,
};

/** The services that run as processes of their own. */
export const serviceNames = Object.keys(own).filter((name) => name !== 'all-in-one');

/** Everything the process of this service reads from its environment. */
export function settingsOf(service: string): Settings {
  const settings = own[service];
  if (settings === undefined) throw new Error(`There is no service ${service}.`);
  return { ...processConfig, ...settings };
}

/** A value each secret might have: what is deployed tells only where secrets come from. */
export const secretSamples: Readonly<Record<string, string>> = {
  BOOTSTRAP_API_KEY: 'a-key-for-this-test-only',
  DATABASE_URL: 'postgres://switchyard:password@postgres:5432/switchyard',
  INTERNAL_SECRET: '0123456789abcdef0123456789abcdef',
  NATS_URL: 'nats://switchyard:password@nats:4222',
  REDIS_URL: 'redis://:password@redis:6379',
  SECRETS_KEY: 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
};

/** What the runtime of a service is told, rather than the service itself. */
export const runtimeVariables: Readonly<Record<string, Readonly<Record<string, string>>>> = ownEnvironment;
