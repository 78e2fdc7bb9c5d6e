import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Database, openDatabase } from '@tallyport/database';
import { createTestDatabase } from '@tallyport/database/testing';
import { expect } from 'vitest';
import { type Gateway, startGateway } from '../gateway/in-process.ts';
import { clientSecret } from './company.ts';
import { writeIdentity } from './identity-file.ts';

export interface IdentityGateway extends Pick<Gateway, 'adminUrl' | 'apiKey' | 'baseUrl' | 'output'> {
  database: Database;
  /** The folder with the document. */
  directory: string;
  /** Replaces the identity document, unless it is the same, and waits until it is in force or refused. */
  apply(document: object | string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts all services in one process with this identity document and a separate database. */
export async function startIdentityGateway(
  document: object,
  environment: Record<string, string> = {},
): Promise<IdentityGateway> {
  const directory = await mkdtemp(join(tmpdir(), 'identity-'));
  const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  // The document reads its secrets from the environment of the process.
  process.env['IDENTITY_SECRET_ACME'] = clientSecret;
  const running = await startGateway({
    DATABASE_URL: url,
    IDENTITY_CONFIG: await writeIdentity(directory, document),
    ...environment,
  });
  const database = await openDatabase({ url });
  const applied = () => running.output().match(/identity providers loaded|IDENTITY_CONFIG refused/g)?.length ?? 0;
  let current: object | string = document;
  return {
    ...running,
    database,
    directory,
    async apply(changed) {
      // auth-svc reads the document once a second.
      if (isDeepStrictEqual(changed, current)) return;
      current = changed;
      const before = applied();
      await writeIdentity(directory, changed);
      await expect.poll(applied).toBeGreaterThan(before);
    },
    async stop() {
      await database.close();
      await running.stop();
      await drop();
      await rm(directory, { recursive: true });
    },
  };
}
