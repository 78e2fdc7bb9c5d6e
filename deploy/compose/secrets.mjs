// Creates all secrets of the containers at the first start of compose and never changes an existing one. Each container
// mounts a separate folder with the secrets it needs.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const [folder = '/secrets'] = process.argv.slice(2);
/** Mounted by this container only. */
const all = join(folder, 'all');

const readers = {
  edge: ['nats-url', 'redis-url', 'internal-secret'],
  'chat-svc': ['nats-url', 'redis-url'],
  'image-svc': ['nats-url', 'redis-url'],
  'batch-svc': ['nats-url', 'database-url', 'secrets-key'],
  'catalog-svc': ['nats-url', 'database-url'],
  'console-svc': ['nats-url', 'internal-secret'],
  'mcp-svc': ['nats-url', 'redis-url'],
  'auth-svc': ['nats-url', 'redis-url', 'database-url', 'secrets-key', 'api-key'],
  'ledger-svc': ['nats-url', 'redis-url', 'database-url', 'secrets-key'],
  nats: ['nats-server.conf'],
  redis: ['redis.conf', 'redis-password'],
  postgres: ['postgres-password'],
  grafana: ['grafana-password'],
};

/** Returns the text of a secret; creates it if it does not exist. */
function secret(name, make) {
  const path = join(all, name);
  // Earlier versions kept all secrets in one folder, readable by every container.
  if (existsSync(join(folder, name))) renameSync(join(folder, name), path);
  if (!existsSync(path)) writeFileSync(path, make(), { flag: 'wx', mode: 0o600 });
  return readFileSync(path, 'utf8');
}

/**
 * Copies the secrets of a container into its folder; each service has an address of NATS of its own. The files are readable by all users, because containers run as
 * different ones. The folder is kept, because running containers have it mounted.
 */
function copySecrets(reader, names) {
  const own = join(folder, reader);
  mkdirSync(own, { recursive: true, mode: 0o755 });
  for (const name of readdirSync(own)) if (!names.includes(name)) rmSync(join(own, name));
  for (const name of names) {
    const text = readFileSync(join(all, name === 'nats-url' ? `${reader}-${name}` : name));
    writeFileSync(join(own, name), text, { mode: 0o644 });
  }
}

const password = () => randomBytes(24).toString('hex');

mkdirSync(all, { recursive: true, mode: 0o700 });
const redis = secret('redis-password', password);
const postgres = secret('postgres-password', password);
secret('redis-url', () => `redis://:${redis}@redis:6379`);
secret('database-url', () => `postgres://tallyport:${postgres}@postgres:5432/tallyport`);
secret('redis.conf', () => `requirepass ${redis}\nmaxmemory 256mb\nmaxmemory-policy volatile-lru\nsave ""\n`);
const users = readFileSync(new URL('../nats/users.conf', import.meta.url), 'utf8');
const natsPasswords = [...users.matchAll(/user: (\S+)\s+password: \$(\S+)/g)].map(([, service, variable]) => {
  const given = secret(`${service}-nats-password`, password);
  secret(`${service}-nats-url`, () => `nats://${service}:${given}@nats:4222`);
  return `${variable}: "${given}"\n`;
});
// Written at every start: another version may give the services other permissions.
writeFileSync(
  join(all, 'nats-server.conf'),
  `http: 8222\njetstream { store_dir: "/data", max_file_store: 4GB }\n${natsPasswords.join('')}${users}`,
  { mode: 0o600 },
);
secret('internal-secret', password);
secret('secrets-key', () => randomBytes(32).toString('base64'));
const key = secret('api-key', () => `local-${password()}`);
const grafana = secret('grafana-password', password);
for (const [reader, names] of Object.entries(readers)) copySecrets(reader, names);

process.stdout.write(
  `Tallyport is at http://localhost:4000/v1 once edge is healthy. API key: ${key}\n` +
    `Grafana is at http://localhost:3000. User: admin, password: ${grafana}\n`,
);
