import { hash, randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../open-database.ts';

/**
 * A data directory of the embedded database as after its first start, but created faster: it is copied from a template,
 * made once per checkout and PGlite version. The caller removes it.
 */
export async function preparedDirectory(): Promise<string> {
  const template = await ensureTemplate();
  const directory = await mkdtemp(join(tmpdir(), 'switchyard-data-'));
  await cp(template, directory, { recursive: true });
  return directory;
}

async function ensureTemplate(): Promise<string> {
  const cache = fileURLToPath(new URL('../../../../node_modules/.cache/switchyard', import.meta.url));
  // The resolved path contains PGlite's version.
  const version = hash('sha256', createRequire(import.meta.url).resolve('@electric-sql/pglite')).slice(0, 12);
  const template = join(cache, `pglite-${version}`);
  if (existsSync(template)) return template;

  const unfinished = join(cache, `pglite-${randomUUID()}`);
  await mkdir(unfinished, { recursive: true });
  const database = await openDatabase({ directory: unfinished });
  await database.close();
  // If another test was faster, its template is used.
  await rename(unfinished, template).catch(() => rm(unfinished, { recursive: true }));
  return template;
}
