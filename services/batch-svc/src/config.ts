import { secretsConfig } from '@tallyport/management-server';
import {
  type ConfigOf,
  defineConfig,
  fileBodyConfig,
  httpAddress,
  publicConfig,
  stateConfig,
  wholeNumber,
} from '@tallyport/service-kit';
import { z } from 'zod';

export const batchConfig = defineConfig({
  DATA_DIR: stateConfig.DATA_DIR,
  DATABASE_URL: stateConfig.DATABASE_URL,
  ...secretsConfig,
  ...fileBodyConfig,
  MAX_BODY_BYTES: publicConfig.MAX_BODY_BYTES,
  FILES_DIR: {
    schema: z.string().optional(),
    example: '/var/lib/tallyport/files',
    description:
      'Folder for the files of clients, which all replicas of batch-svc must share. With the embedded database it is DATA_DIR/files.',
    contradiction: ({ FILES_DIR, FILES_S3_BUCKET }) =>
      FILES_DIR !== undefined && FILES_S3_BUCKET !== undefined
        ? 'cannot be set together with FILES_S3_BUCKET; choose one storage'
        : undefined,
  },
  FILES_S3_BUCKET: {
    schema: z.string().min(1).optional(),
    example: 'tallyport-files',
    description: 'Bucket for the files of clients, at AWS or any S3-compatible storage. Without it, FILES_DIR is used.',
  },
  FILES_S3_ENDPOINT: {
    schema: httpAddress.optional(),
    example: 'https://minio.example.com',
    description: 'Address of an S3-compatible storage. Without it, the bucket is at AWS.',
  },
  FILES_S3_REGION: { schema: z.string().min(1), default: 'us-east-1', description: 'Region of the bucket.' },
  FILES_S3_ACCESS_KEY_ID: {
    schema: z.string().min(1).optional(),
    example: 'AKIAIOSFODNN7EXAMPLE',
    description:
      'Access key id for the bucket. Without it, the usual sources of AWS apply, such as the role of the machine or pod.',
    contradiction: ({ FILES_S3_ACCESS_KEY_ID: id, FILES_S3_SECRET_ACCESS_KEY: secret }) =>
      (id === undefined) === (secret === undefined)
        ? undefined
        : 'must be set together with FILES_S3_SECRET_ACCESS_KEY; set both or neither',
  },
  FILES_S3_SECRET_ACCESS_KEY: {
    schema: z.string().min(1).optional(),
    secret: true,
    description: 'Secret access key that belongs to FILES_S3_ACCESS_KEY_ID.',
  },
  FILES_ACCOUNT_MAX_BYTES: {
    schema: wholeNumber(0, 2 ** 50),
    default: '10737418240',
    description: 'Size limit of all files of one account. Uploads beyond it are refused.',
  },
  FILES_ACCOUNT_MAX_FILES: {
    schema: wholeNumber(0, 10_000_000),
    default: '10000',
    description: 'How many files one account may keep.',
  },
});

export type BatchConfig = ConfigOf<typeof batchConfig>;

/** The settings of the process: those of the module, and the bus. */
export const batchProcessConfig = defineConfig({ ...batchConfig, NATS_URL: stateConfig.NATS_URL });
