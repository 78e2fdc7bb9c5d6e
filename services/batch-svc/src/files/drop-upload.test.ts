import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@tallyport/database';
import { openMigrated } from '@tallyport/database/testing';
import { createMetrics, silentLog } from '@tallyport/service-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchEvents } from '../events.ts';
import { createFolderStorage } from '../storage/folder-storage.ts';
import { dropUpload } from './drop-upload.ts';
import { beginUpload, finishUpload } from './uploads.ts';

let database: Database;
let folder: string;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ database, close } = await openMigrated());
  await database.kysely.insertInto('accounts').values({ id: 'default', name: 'Default' }).execute();
  folder = await mkdtemp(join(tmpdir(), 'tallyport-drop-'));
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

async function* content(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('results');
}

test('an upload that was finished stays, also if its end was not confirmed, and any other is removed', async () => {
  const storage = createFolderStorage(folder);
  const events = batchEvents({ log: silentLog(), metrics: createMetrics({ defaults: false }) }, () => 0);
  const quota = { maxBytes: 1_000, maxFiles: 10 };
  const [finished, begun] = ['file-finished', 'file-begun'].map((id) => ({
    id,
    accountId: 'default',
    projectId: null,
    endsInMs: 60_000,
  })) as [Parameters<typeof dropUpload>[1], Parameters<typeof dropUpload>[1]];
  for (const upload of [finished, begun]) {
    await beginUpload(database, upload, quota);
    await storage.write(upload.id, content());
  }
  const stored = { filename: 'f', purpose: 'batch_output', mediaType: 'text/plain', bytes: 7, expiresInSeconds: 60 };
  await finishUpload(database.kysely, finished, stored);
  for (const upload of [finished, begun]) await dropUpload({ database, storage, events }, upload);
  expect(await readdir(folder)).toEqual([finished.id]);
  expect(await database.kysely.selectFrom('files').select(['id', 'status']).execute()).toEqual([
    { id: finished.id, status: 'ready' },
  ]);
});
