import { join } from 'node:path';
import type { BatchConfig } from '../config.ts';
import { type FileStorage, noStorage } from './file-storage.ts';
import { createFolderStorage } from './folder-storage.ts';
import { createS3Storage } from './s3-storage.ts';

/** The storage that the settings name. Beside an embedded database it is a folder by default. */
export function openStorage(config: BatchConfig): FileStorage {
  const { FILES_S3_BUCKET: bucket, FILES_DIR, DATABASE_URL, DATA_DIR } = config;
  if (bucket !== undefined) return inBucket(bucket, config);
  const directory = FILES_DIR ?? (DATABASE_URL === undefined ? join(DATA_DIR, 'files') : undefined);
  return directory === undefined ? noStorage : createFolderStorage(directory);
}

function inBucket(name: string, config: BatchConfig): FileStorage {
  const { FILES_S3_ACCESS_KEY_ID: accessKeyId, FILES_S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  const hasKey = accessKeyId !== undefined && secretAccessKey !== undefined;
  return createS3Storage({
    name,
    region: config.FILES_S3_REGION,
    endpoint: config.FILES_S3_ENDPOINT,
    credentials: hasKey ? { accessKeyId, secretAccessKey } : undefined,
  });
}
