import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../../tests/support/probe.ts';
import { startProcessServer } from '../../../../tests/support/process-server.ts';
import { findPrograms } from '../../../../tests/support/programs.ts';
import type { ProgramRecipe, TestServer } from '../../../../tests/support/server.ts';
import { fileStorageSuite } from './file-storage.suite.ts';
import { createS3Storage } from './s3-storage.ts';

/** moto's server of S3 keeps objects, ranges and unfinished uploads as AWS does, in memory. */
const moto: ProgramRecipe = {
  name: 'moto',
  url: (host, port) => `http://${host}:${port}`,
  answers: async (host, port) => (await fetch(`http://${host}:${port}/moto-api/`).catch(() => undefined))?.ok ?? false,
  command: ([program = 'moto_server'], { port }) => [program, '--host', '127.0.0.1', '--port', String(port)],
  stopSignal: 'SIGTERM',
};

const programs = await findPrograms(['moto_server']);
if (programs === undefined) {
  console.warn("moto_server is not installed (pipx install 'moto[server]'): the storage in a bucket is not tested.");
}

const Bucket = 'files';
const region = 'eu-central-1';
const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };

describe.skipIf(programs === undefined)('a bucket', () => {
  let server: TestServer;
  let client: S3Client;
  beforeAll(async () => {
    server = await startProcessServer(moto, programs ?? []);
    client = new S3Client({ endpoint: server.url, region, credentials, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket, CreateBucketConfiguration: { LocationConstraint: region } }));
  }, 60_000);
  afterAll(() => server.stop());

  const storage = () => createS3Storage({ name: Bucket, region, endpoint: server.url, credentials });
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

  test('that does not exist is a storage that is away', async () => {
    const other = createS3Storage({ name: 'no-such-bucket', region, endpoint: server.url, credentials });
    async function* pieces() {
      yield Buffer.from('content');
    }
    await expect(other.write('file-a', pieces())).rejects.toMatchObject({ code: 'unavailable' });
  });
});

test('a server that does not answer is a storage that is away', async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const storage = createS3Storage({ name: Bucket, region, endpoint, credentials });
  await expect(storage.remove('file-a')).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The storage of files does not answer. Try again in a moment.',
  });
});
