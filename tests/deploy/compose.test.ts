import { existsSync } from 'node:fs';
import { readConfig } from '@switchyard/service-kit';
import { describe, expect, test } from 'vitest';
import { composePath, type ComposeService, readComposeFile } from './compose-file.ts';
import { runtimeVariables, secretSamples, serviceNames, settingsOf } from './service-settings.ts';

const { services, networks, volumes } = readComposeFile();
const serviceOf = (name: string): ComposeService => services[name] ?? expect.fail(`${name} is not in the file`);
const ours = Object.keys(services).filter((name) => serviceOf(name).build !== undefined);

describe('docker-compose.yml', () => {
  test('has every service, its state, and what shows how they do', () => {
    const around = ['all-in-one', 'grafana', 'nats', 'postgres', 'prometheus', 'redis', 'sandbox', 'secrets'];
    expect(Object.keys(services).toSorted()).toEqual([...serviceNames, ...around].toSorted());
  });

  test.each([...serviceNames, 'all-in-one'])('%s can read what it is told', (service) => {
    const settings = settingsOf(service);
    const { environment } = serviceOf(service);
    const names = Object.keys(environment).map((name) => (name in settings ? name : name.replace(/_FILE$/, '')));
    const runtime = runtimeVariables[service] ?? {};
    expect(environment).toMatchObject(runtime);
    expect(names.filter((name) => !(name in settings) && !(name in runtime))).toEqual([]);
    expect(() => readConfig(settings, { environment: withSecrets(environment) })).not.toThrow();
  });

  test.each(serviceNames)('%s lacks nothing that ties services together', (service) => {
    const environment = withSecrets(serviceOf(service).environment);
    const tying = ['NATS_URL', 'REDIS_URL', 'DATABASE_URL', 'INTERNAL_SECRET', 'SECRETS_KEY', 'MCP_URL', 'AUTH_URL'];
    const wanted = tying.filter((name) => name in settingsOf(service));
    expect(wanted.filter((name) => environment[name] === undefined)).toEqual([]);
  });

  test.each(ours)('%s has no rights it does not need', (service) => {
    const { read_only, cap_drop, security_opt } = serviceOf(service);
    expect({ read_only, cap_drop, security_opt }).toEqual({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  test.each(ours)('%s is built from the one Dockerfile', (service) => {
    const { image, build } = serviceOf(service);
    const built = service === 'secrets' ? 'sandbox' : service;
    expect({ image, build }).toEqual({
      image: `switchyard/${built}:local`,
      build: { context: '.', args: { SERVICE: built } },
    });
  });

  test('nothing is reachable from other machines', () => {
    const published = Object.values(services).flatMap(({ ports }) => ports);
    expect(published).not.toEqual([]);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test('state is reachable by services alone', () => {
    expect(networks['state']).toEqual({ internal: true });
    expect(['nats', 'redis', 'postgres'].map((name) => serviceOf(name).networks)).toEqual([
      ['state'],
      ['state'],
      ['state'],
    ]);
  });

  test('nobody waits for what never becomes ready', () => {
    const waits = Object.values(services).flatMap(({ depends_on }) =>
      Array.isArray(depends_on) ? [] : Object.entries(depends_on),
    );
    for (const [name, { condition }] of waits) {
      const awaited = serviceOf(name);
      const healthy = awaited.healthcheck !== undefined || serviceNames.includes(name);
      expect([name, condition !== 'service_healthy' || healthy]).toEqual([name, true]);
      expect(awaited.profiles).toEqual([]);
    }
  });

  test('every volume is declared and every mounted file is there', () => {
    const sources = Object.values(services).flatMap(({ volumes: mounts }) =>
      mounts.map((mount) => mount.split(':')[0] ?? ''),
    );
    const missing = sources.filter((source) =>
      source.startsWith('.') ? !existsSync(new URL(source, composePath)) : !(source in volumes),
    );
    expect(missing).toEqual([]);
  });
});

/** Secrets come as files: what is in them is made at the first start. */
function withSecrets(environment: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const entries = Object.entries(environment).map(([name, value]) => {
    const secret = name.replace(/_FILE$/, '');
    return secret === name ? [name, value] : [secret, secretSamples[secret]];
  });
  return Object.fromEntries(entries);
}
