import { existsSync } from 'node:fs';
import { readConfig } from '@tallyport/service-kit';
import { describe, expect, test } from 'vitest';
import { composePath, type ComposeService, listingKeys, passedVariables, readComposeFile } from './compose-file.ts';
import {
  imageNames,
  isOfImage,
  runtimeVariables,
  secretSamples,
  serviceNames,
  settingsOf,
} from './service-settings.ts';

const { services, networks, volumes } = readComposeFile();
const serviceOf = (name: string): ComposeService => services[name] ?? expect.fail(`${name} is not in the file`);
const membersOf = (network: string): string[] =>
  Object.keys(services)
    .filter((name) => serviceOf(name).networks.includes(network))
    .toSorted();
const ours = Object.keys(services).filter((name) => serviceOf(name).build !== undefined);

describe('docker-compose.yml', () => {
  test('has every service, the state servers and the monitoring', () => {
    const around = ['all-in-one', 'grafana', 'nats', 'postgres', 'prometheus', 'redis', 'sandbox', 'secrets'];
    expect(Object.keys(services).toSorted()).toEqual([...serviceNames, ...around].toSorted());
  });

  test.each([...serviceNames, 'all-in-one'])('%s accepts its settings', (service) => {
    const settings = settingsOf(service);
    const { environment } = serviceOf(service);
    const names = Object.keys(environment).map((name) => (name in settings ? name : name.replace(/_FILE$/, '')));
    const runtime = runtimeVariables[service] ?? {};
    expect(environment).toMatchObject(runtime);
    expect(names.filter((name) => !(name in settings) && !(name in runtime))).toEqual([]);
    expect(() => readConfig(settings, { environment: withSecrets(environment) })).not.toThrow();
  });

  test.each(imageNames)('%s receives only the settings it reads', (service) => {
    const described = serviceOf(service);
    const ours = Object.keys(described.environment).map((name) => name.replace(/_FILE$/, ''));
    const passed = Object.keys(passedVariables(described));
    const runtime = Object.keys(runtimeVariables[service] ?? {});
    const wanted = Object.keys(settingsOf(service)).filter((name) => !isOfImage(name));
    expect([...ours, ...passed].toSorted()).toEqual([...wanted, ...runtime].toSorted());
    expect(described.env_file).toBeUndefined();
  });

  test('only services that call providers receive provider keys; catalog-svc receives whether one is set', () => {
    const holders = serviceNames.filter((name) => 'OPENAI_API_KEY' in passedVariables(serviceOf(name)));
    expect(holders.map((name) => [name, passedVariables(serviceOf(name))['OPENAI_API_KEY']])).toEqual([
      ['catalog-svc', '${OPENAI_API_KEY:+set}'],
      ['chat-svc', null],
      ['image-svc', null],
    ]);
    const own = Object.entries(passedVariables(serviceOf('catalog-svc'))).filter(
      ([name]) => settingsOf('catalog-svc')[name]?.secret,
    );
    const whole = own.flatMap(([name, value]) =>
      value === null && name !== 'OTEL_EXPORTER_OTLP_HEADERS' ? [name] : [],
    );
    expect(whole.toSorted()).toEqual(listingKeys);
  });

  test.each(serviceNames)('%s has all settings that connect the services', (service) => {
    const environment = withSecrets(serviceOf(service).environment);
    const connecting = ['NATS_URL', 'REDIS_URL', 'DATABASE_URL', 'INTERNAL_SECRET', 'SECRETS_KEY', 'CONSOLE_URL'];
    const wanted = connecting.filter((name) => name in settingsOf(service));
    expect(wanted.filter((name) => environment[name] === undefined)).toEqual([]);
  });

  test.each(Object.keys(services))('%s has no rights it does not need', (service) => {
    const { read_only, cap_drop, security_opt, user, build, deploy } = serviceOf(service);
    expect({ read_only, cap_drop, security_opt }).toEqual({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    // Our images set their user; third-party images may start as root.
    expect(user ?? (build && '65532:65532')).toMatch(/^[1-9]\d*:\d+$/);
    expect(deploy?.resources.limits).toEqual({ memory: expect.stringMatching(/^\d+[mg]$/), pids: 512 });
  });

  test.each(ours)('%s is built from the Dockerfile', (service) => {
    const { image, build } = serviceOf(service);
    const built = service === 'secrets' ? 'sandbox' : service;
    expect({ image, build }).toEqual({
      image: `tallyport/${built}:local`,
      build: {
        context: '.',
        args: { SERVICE: built, VERSION: null, REVISION: null, CREATED: null, SOURCE: null },
      },
    });
  });

  test('publishes ports only on this machine', () => {
    const published = Object.values(services).flatMap(({ ports }) => ports);
    expect(published).not.toEqual([]);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test('only the services that use it reach each state server', () => {
    const state = { nats: 'NATS_URL', redis: 'REDIS_URL', postgres: 'DATABASE_URL' };
    for (const [name, setting] of Object.entries(state)) {
      expect(networks[name]).toEqual({ internal: true });
      expect(serviceOf(name).networks).toEqual([name]);
      const users = serviceNames.filter((service) => setting in settingsOf(service));
      expect(membersOf(name)).toEqual([name, ...users].toSorted());
    }
  });

  test('only services that need the internet reach it', () => {
    const outer = Object.keys(networks).filter((name) => networks[name]?.internal !== true);
    expect(Object.fromEntries(outer.map((name) => [name, membersOf(name)]))).toEqual({
      public: ['auth-svc', 'batch-svc', 'edge', 'ledger-svc'],
      'mcp-servers': ['mcp-svc'],
      providers: ['chat-svc', 'image-svc', 'sandbox'],
      screens: ['grafana', 'prometheus'],
    });
    expect(membersOf('pages')).toEqual(['console-svc', 'edge']);
    expect(membersOf('monitoring')).toEqual([...serviceNames, 'prometheus'].toSorted());
  });

  test('Grafana has a generated password', () => {
    const { environment } = serviceOf('grafana');
    expect(environment['GF_SECURITY_ADMIN_PASSWORD__FILE']).toBe('/secrets/grafana-password');
    expect(environment['GF_AUTH_ANONYMOUS_ORG_ROLE']).toBe('Viewer');
  });

  const waits = Object.entries(services).flatMap(([name, { depends_on }]) =>
    Array.isArray(depends_on)
      ? []
      : Object.entries(depends_on).map(([awaited, { condition }]) => ({ name, awaited, condition })),
  );

  test.each(waits)('$name waits for $awaited, which becomes $condition', ({ awaited, condition }) => {
    const { healthcheck, profiles } = serviceOf(awaited);
    expect(profiles).toEqual([]);
    if (condition !== 'service_healthy') return;
    // Our images have a test of their own.
    expect(healthcheck?.test !== undefined || serviceNames.includes(awaited)).toBe(true);
    expect(healthcheck?.disable).toBeUndefined();
  });

  test('`docker compose up --wait` finds no disabled health check, except of the container that ends', () => {
    const disabled = Object.keys(services).filter((name) => serviceOf(name).healthcheck?.disable);
    expect(disabled).toEqual(['secrets']);
    expect(serviceOf('secrets').restart).toBe('no');
  });

  // `docker compose up` gives up when a service that others wait for is unhealthy once.
  test.each([...serviceNames, 'all-in-one', 'nats', 'postgres', 'redis'])('%s survives a slow first start', (name) => {
    const { healthcheck, restart } = serviceOf(name);
    const { test: _test, ...times } = healthcheck ?? {};
    expect(times).toEqual({
      start_period: '300s',
      start_interval: '1s',
      interval: '5s',
      timeout: '10s',
      retries: 6,
    });
    expect(restart).toBe('unless-stopped');
  });

  test('every service waits for the state servers that it uses, and edge for all services', () => {
    const awaitedBy = (name: string): string[] =>
      waits.filter((wait) => wait.name === name).map(({ awaited }) => awaited);
    const state = { nats: 'NATS_URL', redis: 'REDIS_URL', postgres: 'DATABASE_URL' };
    for (const [server, setting] of Object.entries(state)) {
      const users = serviceNames.filter((service) => service !== 'edge' && setting in settingsOf(service));
      expect(users.filter((service) => !awaitedBy(service).includes(server))).toEqual([]);
    }
    expect(awaitedBy('edge').toSorted()).toEqual(serviceNames.filter((service) => service !== 'edge').toSorted());
  });

  test('every volume is declared and every mounted file exists', () => {
    const sources = Object.values(services).flatMap(({ volumes: mounts }) =>
      mounts.map((mount) => (typeof mount === 'string' ? (mount.split(':')[0] ?? '') : mount.source)),
    );
    const missing = sources.filter((source) =>
      source.startsWith('.') ? !existsSync(new URL(source, composePath)) : !(source in volumes),
    );
    expect(missing).toEqual([]);
  });
});

/** Replaces secret files by sample values, because the files are created at the first start. */
function withSecrets(environment: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const entries = Object.entries(environment).map(([name, value]) => {
    const secret = name.replace(/_FILE$/, '');
    return secret === name ? [name, value] : [secret, secretSamples[secret]];
  });
  return Object.fromEntries(entries);
}
