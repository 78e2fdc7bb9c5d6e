// Makes, at the first start of compose, every secret the services share, and never changes one that is there.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const [folder = '/secrets'] = process.argv.slice(2);

/** The text of a secret: what is there, or what is made now. */
function secret(name, make) {
  const path = join(folder, name);
  if (!existsSync(path)) writeFileSync(path, make(), { flag: 'wx', mode: 0o644 });
  return readFileSync(path, 'utf8');
}

const password = () => randomBytes(24).toString('hex');

const nats = secret('nats-password', password);
const redis = secret('redis-password', password);
const postgres = secret('postgres-password', password);
secret('nats-url', () => `nats://switchyard:${nats}@nats:4222`);
secret('redis-url', () => `redis://:${redis}@redis:6379`);
secret('database-url', () => `postgres://switchyard:${postgres}@postgres:5432/switchyard`);
secret('redis.conf', () => `requirepass ${redis}\nmaxmemory 256mb\nmaxmemory-policy allkeys-lru\nsave ""\n`);
secret('nats.conf', () =>
  [
    'http: 8222',
    'jetstream { store_dir: "/data", max_file_store: 4GB }',
    `authorization { user: switchyard, password: "${nats}" }`,
    '',
  ].join('\n'),
);
secret('internal-secret', password);
secret('secrets-key', () => randomBytes(32).toString('base64'));
const key = secret('api-key', () => `local-${password()}`);

process.stdout.write(`Switchyard answers at http://localhost:4000/v1 once edge is healthy. API key: ${key}\n`);
