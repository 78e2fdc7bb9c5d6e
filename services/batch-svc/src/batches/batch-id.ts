import { randomUUID } from 'node:crypto';
import { GatewayError, type RequestHead } from '@tallyport/contracts';
import type { BatchApi } from './batch-api.ts';

const starts = { batches: 'batch_', messages: 'msgbatch_' } as const satisfies Record<BatchApi, string>;

export const newBatchId = (api: BatchApi): string => starts[api] + randomUUID().replaceAll('-', '');

/** The id in an address, of which a further part may follow. Postgres takes no NUL. */
export const batchIdIn = ({ path = '' }: Pick<RequestHead, 'path'>): string =>
  path.replaceAll('\0', '').split('/', 1)[0] ?? '';

export const noSuchBatch = (): GatewayError =>
  new GatewayError('not_found', 'There is no such batch. A list of batches has those of your key.');
