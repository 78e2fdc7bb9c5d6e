import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openDatabase } from '../open-database.ts';
import { schemaVersion } from './schema-version.ts';

/**
 * A data directory of the embedded database as after its first start, but created faster: it is copied from a template,
 * made once per checkout, PGlite version and schema. The caller removes it.
 */
export async function preparedDirectory(): Promise<string> {
  const template = await ensureTemplate();
  const directory = await mkdtemp(join(tmpdir(), 'tallyport-data-'));
  // Node's own copies take twice to ten times the processor time for the thousand files.
  await promisify(execFile)('cp', ['-R', `${template}/.`, directory]);
  return directory;
}

async function ensureTemplate(): Promise<string> {
  const cache = fileURLToPath(new URL('../../../../node_modules/.cache/tallyport', import.meta.url));
  // PGlite's path contains its version.
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const template = join(cache, `pglite-${schemaVersion(pglite)}`);
  if (existsSync(template)) return template;

  const unfinished = join(cache, `pglite-${randomUUID()}`);
  await mkdir(unfinished, { recursive: true });
  const database = await openDatabase({ directory: unfinished });
  await database.migrate();
  await database.close();
  // If another test was faster, its template is used.
  await rename(unfinished, template).catch(() => rm(unfinished, { recursive: true }));
  return template;
}
