import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { GatewayError } from '@tallyport/contracts';
import { contentMissing, type FileStorage, storageAway, storageFull } from './file-storage.ts';

interface Bucket {
  name: string;
  region: string;
  /** Of an S3-compatible storage; AWS if absent. */
  endpoint?: string | undefined;
  /** The usual sources of AWS if absent. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
}

const connectMs = 5_000;
/** From a request to its answer: a part must be sent within it. */
const answerMs = 30_000;
const maxAttempts = 3;
/** The least that the protocol allows. An upload holds one such part, and the next one while it is sent. */
const partBytes = 5 * 1024 ** 2;

/** Keeps objects in a bucket. A part of an upload is sent when it is complete, and the object exists with the last one. */
export function createS3Storage({ name: Bucket, region, endpoint, credentials }: Bucket): FileStorage {
  const client = new S3Client({
    region,
    maxAttempts,
    requestHandler: { connectionTimeout: connectMs, requestTimeout: answerMs, throwOnRequestTimeout: true },
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
  });
  return {
    async write(key, pieces) {
      const source = noted(pieces);
      const Body = Readable.from(source.pieces, { objectMode: false });
      const params = { Bucket, Key: key, Body };
      const upload = new Upload({ client, params, partSize: partBytes, queueSize: 1 });
      try {
        await upload.done();
      } catch (error) {
        throw source.error() ?? faultOf(error);
      } finally {
        Body.destroy();
      }
    },
    async *read(key, { start, end }) {
      try {
        const { Body } = await client.send(
          new GetObjectCommand({ Bucket, Key: key, Range: `bytes=${start}-${end - 1}` }),
        );
        if (Body instanceof Readable) yield* Body as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw faultOf(error);
      }
    },
    async remove(key) {
      try {
        await abortUploads(client, { Bucket, key });
        await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
      } catch (error) {
        throw faultOf(error);
      }
    },
  };
}

/** Parts of an upload whose process was killed are kept, and paid for, until it is aborted. */
async function abortUploads(client: S3Client, { Bucket, key }: { Bucket: string; key: string }): Promise<void> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: key }));
  for (const { Key, UploadId } of Uploads) {
    if (Key === key) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  }
}

/** The pieces, and the error with which they ended: the client reports it as one of its own. */
function noted(pieces: AsyncIterable<Uint8Array>) {
  let thrown: unknown;
  async function* passedOn(): AsyncGenerator<Uint8Array> {
    try {
      yield* pieces;
    } catch (error) {
      thrown = error;
      throw error;
    }
  }
  return { pieces: passedOn(), error: () => thrown };
}

/** Of AWS's protocol, Ceph and MinIO. */
const full: ReadonlySet<string> = new Set([
  'InsufficientStorage',
  'QuotaExceeded',
  'XMinioAdminBucketQuotaExceeded',
  'XMinioStorageFull',
]);
const fullStatus = 507;
/** The range begins behind the end of an object that was cut. */
const missing: ReadonlySet<string> = new Set(['NoSuchKey', 'InvalidRange']);

function faultOf(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (!(error instanceof S3ServiceException)) return storageAway(error);
  if (full.has(error.name) || error.$metadata.httpStatusCode === fullStatus) return storageFull(error);
  return missing.has(error.name) ? contentMissing(error) : storageAway(error);
}
