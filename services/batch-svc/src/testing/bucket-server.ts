import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { startProcessServer } from '../../../../tests/support/process-server.ts';
import { findPrograms } from '../../../../tests/support/programs.ts';
import type { ProgramRecipe } from '../../../../tests/support/server.ts';

/** moto's server of S3 keeps objects, ranges and unfinished uploads as AWS does, in memory. */
const moto: ProgramRecipe = {
  name: 'moto',
  url: (host, port) => `http://${host}:${port}`,
  answers: async (host, port) => (await fetch(`http://${host}:${port}/moto-api/`).catch(() => undefined))?.ok ?? false,
  command: ([program = 'moto_server'], { port }) => [program, '--host', '127.0.0.1', '--port', String(port)],
  stopSignal: 'SIGTERM',
};

const programs = await findPrograms(['moto_server']);

export const hasBuckets = programs !== undefined;

export const bucket = {
  name: 'files',
  region: 'eu-central-1',
  credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
} as const;

export interface BucketServer {
  url: string;
  client: S3Client;
  stop(): Promise<void>;
}

/** Starts a server with an empty bucket. */
export async function startBucketServer(): Promise<BucketServer> {
  const { url, stop } = await startProcessServer(moto, programs ?? []);
  const { name: Bucket, region, credentials } = bucket;
  const client = new S3Client({ endpoint: url, region, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket, CreateBucketConfiguration: { LocationConstraint: region } }));
  return { url, client, stop };
}
