import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readComposeFile } from './compose-file.ts';
import { serviceNames } from './service-settings.ts';

const program = fileURLToPath(new URL('../../deploy/compose/secrets.mjs', import.meta.url));
const { services } = readComposeFile();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallyport-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const make = (): string => execFileSync(process.execPath, [program, folder], { encoding: 'utf8' });

/** The text of every file below the folder, by path. */
const textsOf = (below: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(below, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(below.length + 1), readFileSync(path, 'utf8')]),
  );

test('each container mounts a folder with exactly the secrets it names', () => {
  make();
  const mounted = Object.entries(services).flatMap(([name, { volumes }]) =>
    volumes.flatMap((mount) => (typeof mount === 'string' ? [] : [{ name, subpath: mount.volume.subpath }])),
  );
  expect(mounted.map(({ name }) => name)).toEqual(mounted.map(({ subpath }) => subpath));
  expect(readdirSync(folder).toSorted()).toEqual(['all', ...mounted.map(({ name }) => name)].toSorted());
  for (const { name } of mounted) {
    const named = [...JSON.stringify(services[name]).matchAll(/\/secrets\/([a-z.-]+)/g)].map(([, file]) => file);
    expect([name, readdirSync(join(folder, name)).toSorted()]).toEqual([name, [...new Set(named)].toSorted()]);
  }
  expect(Object.values(services).filter(({ volumes }) => volumes.includes('secrets:/secrets:ro'))).toEqual([]);
  expect(statSync(join(folder, 'all')).mode & 0o777).toBe(0o700);
});

test('each service has a user of its own at NATS', () => {
  make();
  const configuration = readFileSync(join(folder, 'nats/nats-server.conf'), 'utf8');
  const urls = serviceNames.map((service) => new URL(readFileSync(join(folder, service, 'nats-url'), 'utf8')));
  expect(urls.map(({ username }) => username)).toEqual(serviceNames);
  expect(new Set(urls.map(({ password }) => password)).size).toBe(serviceNames.length);
  const defined = new Map([...configuration.matchAll(/^(\w+): "(\w+)"$/gm)].map(([, name, value]) => [name, value]));
  const known = [...configuration.matchAll(/user: (\S+)\s+password: \$(\w+)/g)];
  expect(new Map(known.map(([, user, variable]) => [user, defined.get(variable)]))).toEqual(
    new Map(urls.map(({ username, password }) => [username, password])),
  );
});

test('a second start changes no secret, and removes those a container no longer needs', () => {
  make();
  const before = textsOf(folder);
  writeFileSync(join(folder, 'edge/database-url'), 'of an earlier version');
  expect(make()).toContain(before['all/grafana-password']);
  expect(textsOf(folder)).toEqual(before);
});

test('secrets of an earlier version keep their values, and move to a folder that other containers cannot read', () => {
  writeFileSync(join(folder, 'secrets-key'), 'kept');
  chmodSync(join(folder, 'secrets-key'), 0o644);
  make();
  expect(readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())).toEqual([]);
  expect(textsOf(folder)).toMatchObject({ 'all/secrets-key': 'kept', 'auth-svc/secrets-key': 'kept' });
});
