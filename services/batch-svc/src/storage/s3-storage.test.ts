import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../../tests/support/probe.ts';
import { bucket, type BucketServer, hasBuckets, startBucketServer } from '../testing/bucket-server.ts';
import { fileStorageSuite } from './file-storage.suite.ts';
import { LostContent } from './lost-content.ts';
import { createS3Storage } from './s3-storage.ts';

if (!hasBuckets) {
  console.warn("moto_server is not installed (pipx install 'moto[server]'): the storage in a bucket is not tested.");
}

const { name: Bucket } = bucket;

describe.skipIf(!hasBuckets)('a bucket', () => {
  let server: BucketServer;
  let client: S3Client;
  beforeAll(async () => {
    server = await startBucketServer();
    ({ client } = server);
  });
  afterAll(() => server.stop());

  const storage = () => createS3Storage({ ...bucket, endpoint: server.url });
  async function kept(): Promise<string[]> {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
    return [...Contents, ...Uploads].map(({ Key = '' }) => Key);
  }

  fileStorageSuite({ storage, kept });

  test('removes the parts that a killed process has sent of a file', async () => {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'file-killed' }));
    const part = { Bucket, Key: 'file-killed', UploadId, PartNumber: 1, Body: Buffer.alloc(10) };
    await client.send(new UploadPartCommand(part));
    expect(await kept()).toEqual(['file-killed']);
    await storage().remove('file-killed');
    expect(await kept()).toEqual([]);
  });

  test('has lost the content of an object that was cut', async () => {
    await client.send(new PutObjectCommand({ Bucket, Key: 'file-cut', Body: 'short' }));
    const read = async () => {
      for await (const piece of storage().read('file-cut', { start: 5, end: 9 })) expect(piece).toBeUndefined();
    };
    await expect(read()).rejects.toBeInstanceOf(LostContent);
    await storage().remove('file-cut');
  });

  test('that does not exist is a storage that is away', async () => {
    const other = createS3Storage({ ...bucket, name: 'no-such-bucket', endpoint: server.url });
    async function* pieces() {
      yield Buffer.from('content');
    }
    await expect(other.write('file-a', pieces())).rejects.toMatchObject({ code: 'unavailable' });
  });
});

test('a server that does not answer is a storage that is away', async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const storage = createS3Storage({ ...bucket, endpoint });
  await expect(storage.remove('file-a')).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The storage of files does not answer. Try again in a moment.',
  });
});
