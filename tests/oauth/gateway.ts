import { hash, randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '@tallyport/database';
import { createTestDatabase } from '@tallyport/database/testing';
import { startDistributed } from '../../scripts/distributed/start.ts';
import { startGatewayServers } from '../support/gateway-servers.ts';
import { startGateway } from '../gateway/in-process.ts';
import { createPerson, type Person } from './person.ts';

export interface OAuthGateway {
  baseUrl: string;
  apiKey: string;
  database: Database;
  /** A new, signed-out browser session for the first owner. */
  owner(): Person;
  stop(): Promise<void>;
}

export const email = 'ada@example.com';
export const password = 'correct horse battery';

/** Starts all services in one process with a separate database. */
export async function startOneOAuthGateway(settings: Record<string, string> = {}): Promise<OAuthGateway> {
  const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  const gateway = await startOAuthGatewayOn(url, settings);
  return { ...gateway, stop: () => gateway.stop().then(drop) };
}

/** The same on the given database. */
export async function startOAuthGatewayOn(url: string, settings: Record<string, string> = {}): Promise<OAuthGateway> {
  const environment = { DATABASE_URL: url, SECRETS_KEY: randomBytes(32).toString('base64'), ...settings };
  const running = await startGateway(environment);
  return prepared({ ...running, url, stop: running.stop });
}

/**
 * Starts a process per service and two of auth-svc, which alternate, so that consecutive requests of a sign-in reach
 * different ones.
 */
export async function startTwoAuthReplicas(): Promise<OAuthGateway> {
  const servers = await startGatewayServers();
  const replicas = { 'auth-svc': 2, 'image-svc': 0 };
  const running = await startDistributed({ servers: servers.urls, replicas });
  const stop = async () => {
    await running.stop();
    await servers.stop();
  };
  return prepared({ ...running, url: servers.urls.DATABASE_URL, stop });
}

interface Running {
  baseUrl: string;
  apiKey: string;
  url: string;
  stop(): Promise<void>;
}

async function prepared({ baseUrl, apiKey, url, stop }: Running): Promise<OAuthGateway> {
  const database = await openDatabase({ url });
  await makeOwner(database, baseUrl);
  return {
    baseUrl,
    apiKey,
    database,
    owner: () => createPerson(baseUrl),
    async stop() {
      await database.close();
      await stop();
    },
  };
}

/** Creates the first owner with a link like the one that the first start prints. */
async function makeOwner({ kysely }: Database, baseUrl: string): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  const expires_at = new Date(Date.now() + 60_000);
  await kysely
    .insertInto('setup_links')
    .values({ token_hash: hash('sha256', token), expires_at })
    .execute();
  const person = createPerson(baseUrl);
  const page = await person.submit(await person.open(`/setup/${token}`), { email, password });
  if (!page.url.endsWith('/dashboard/default/overview'))
    throw new Error(`The first owner could not be created:\n${page.text}`);
}

/** The same gateway at another host name of this machine. */
export function withHostname(name: string, gateway: OAuthGateway): OAuthGateway {
  const url = new URL(gateway.baseUrl);
  url.hostname = name;
  const baseUrl = url.origin;
  return { ...gateway, baseUrl, owner: () => createPerson(baseUrl) };
}

/** The first owner, signed in. */
export async function signedIn({ owner }: Pick<OAuthGateway, 'owner'>): Promise<Person> {
  const person = owner();
  await person.submit(await person.open('/sign-in'), { email, password });
  return person;
}

/** Signs in if needed and grants or denies access. Returns the URL of the redirect to the client. */
export async function allow(person: Person, url: string, decision: 'allow' | 'deny' = 'allow'): Promise<URL> {
  let page = await person.open(url);
  if (page.url.includes('/sign-in')) page = await person.submit(page, { email, password });
  if (page.text.includes('name="decision"')) page = await person.submit(page, { decision });
  return new URL(page.url);
}
