import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { describe } from 'vitest';
import { bucket, hasBuckets, startBucketServer } from '../testing/bucket-server.ts';
import { startStorageProxy } from '../testing/storage-proxy.ts';
import { storageTroubleSuite, type TroubledStorage } from './storage-trouble.suite.ts';

const run = promisify(execFile);

/** A file system of its own, which can be full. Only root may mount one. */
async function openSmallFolder(): Promise<TroubledStorage & { isMounted: boolean }> {
  const place = await mkdtemp(join(tmpdir(), 'tallyport-trouble-'));
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place]).then(
    () => true,
    () => false,
  );
  const [folder, away, filler] = ['files', 'files-away', 'filler'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  return {
    isMounted,
    environment: { FILES_DIR: folder },
    async set(state) {
      await rm(filler, { force: true });
      const isAway = await access(away).then(
        () => true,
        () => false,
      );
      if (isAway) {
        await rm(folder);
        await rename(away, folder);
      }
      if (state === 'full') await writeFile(filler, Buffer.alloc(2 * 1024 ** 2)).catch(() => undefined);
      if (state === 'away') {
        await mkdir(folder, { recursive: true });
        await rename(folder, away);
        await writeFile(folder, '');
      }
    },
    kept: () => readdir(folder).catch(() => []),
    async close() {
      if (isMounted) await run('umount', [place]);
      await rm(place, { recursive: true });
    },
  };
}

async function openBucket(): Promise<TroubledStorage> {
  const server = await startBucketServer();
  const proxy = await startStorageProxy(server.url);
  const { name: Bucket, region, credentials } = bucket;
  return {
    environment: {
      FILES_S3_BUCKET: Bucket,
      FILES_S3_ENDPOINT: proxy.url,
      FILES_S3_REGION: region,
      FILES_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      FILES_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    set: async (state) => proxy.set(state),
    async kept() {
      const { Contents = [] } = await server.client.send(new ListObjectsV2Command({ Bucket }));
      const { Uploads = [] } = await server.client.send(new ListMultipartUploadsCommand({ Bucket }));
      return [...Contents, ...Uploads].map(({ Key = '' }) => Key);
    },
    async close() {
      await proxy.close();
      await server.stop();
    },
  };
}

const canMount = await openSmallFolder().then(async ({ isMounted, close }) => {
  await close();
  return isMounted;
});

describe('a folder', () => storageTroubleSuite(openSmallFolder, canMount ? ['away', 'full'] : ['away']));
describe.skipIf(!hasBuckets)('a bucket', () => storageTroubleSuite(openBucket, ['away', 'full']));
