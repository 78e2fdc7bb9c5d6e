import { z } from 'zod';
import { accountFailures, accountItemFailures } from './account-failures.ts';
import { onlyAnswer } from './only-answer.ts';
import { json } from './content-types.ts';
import type { EndpointDescription, Parameter } from './description.ts';
import { listPage } from './list-page.ts';

const tag = 'Batches';

/** The endpoints whose requests a batch of OpenAI's API may have. */
const batchedPaths = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/moderations',
  '/v1/rerank',
  '/v1/decisions',
  '/v1/images/generations',
] as const;

const words = z.string('must be text');
/** Postgres stores none. */
const storable = words.refine(
  (text) => !text.includes('\0') && text.isWellFormed(),
  'must not have the character U+0000 or half of one',
);
const mostMetadata = 16;

/** Unknown members are refused: a batch without what one of them asks for would be noticed a day later. */
export const batchRequest = z.strictObject({
  input_file_id: words.min(1, 'must not be empty').describe('A file with the purpose `batch`.'),
  endpoint: z.enum(batchedPaths, `must be one of ${batchedPaths.join(', ')}`),
  completion_window: z.literal('24h', 'must be 24h'),
  metadata: z
    .record(storable.max(64, 'must have at most 64 characters'), storable.max(512, 'must have at most 512 characters'))
    .refine((entries) => Object.keys(entries).length <= mostMetadata, `must have at most ${mostMetadata} entries`)
    .nullish(),
  output_expires_after: z
    .strictObject({
      anchor: z.literal('created_at', 'must be created_at'),
      seconds: z
        .int('must be a whole number')
        .min(3_600, 'must be at least 3600')
        .max(2_592_000, 'must be at most 2592000'),
    })
    .nullish()
    .describe('When the files of results are removed; 30 days after they were written by default.'),
});

const time = z.int().optional().describe('Unix time in seconds.');

const answeredBy = z
  .array(
    z.object({
      provider: z.string(),
      price: z.enum(['batch', 'standard']),
      lines: z.int(),
      cost: z.number(),
      saved: z.number(),
    }),
  )
  .describe(
    'Who has answered its lines: in a batch of the vendor, or as requests at the standard price. `cost` and `saved` are in USD; `saved` is how much less than as requests.',
  );

const batch = z.object({
  id: z.string(),
  object: z.literal('batch'),
  endpoint: z.string(),
  model: z.string().optional().describe('The model of the first line.'),
  errors: z
    .object({
      object: z.literal('list'),
      data: z.array(
        z.object({
          code: z.string(),
          message: z.string(),
          line: z.int().nullable(),
          param: z.string().nullable(),
        }),
      ),
    })
    .nullable()
    .describe('The first 100 errors of the input, and why the gateway has ended the batch.'),
  input_file_id: z.string(),
  completion_window: z.literal('24h'),
  status: z.enum([
    'validating',
    'failed',
    'in_progress',
    'finalizing',
    'completed',
    'expired',
    'cancelling',
    'cancelled',
  ]),
  output_file_id: z.string().nullable(),
  error_file_id: z.string().nullable(),
  created_at: z.int().describe('Unix time in seconds.'),
  in_progress_at: time,
  expires_at: time,
  finalizing_at: time,
  completed_at: time,
  failed_at: time,
  expired_at: time,
  cancelling_at: time,
  cancelled_at: time,
  request_counts: z.object({ total: z.int(), completed: z.int(), failed: z.int() }),
  answered_by: answeredBy,
  usage: z.object({
    input_tokens: z.int(),
    input_tokens_details: z.object({ cached_tokens: z.int() }),
    output_tokens: z.int(),
    output_tokens_details: z.object({ reasoning_tokens: z.int() }),
    total_tokens: z.int(),
  }),
  metadata: z.record(z.string(), z.string()).nullable(),
});

const messageBatch = z.object({
  id: z.string(),
  type: z.literal('message_batch'),
  processing_status: z.enum(['in_progress', 'canceling', 'ended']),
  request_counts: z.object({
    processing: z.int(),
    succeeded: z.int(),
    errored: z.int(),
    canceled: z.int(),
    expired: z.int(),
  }),
  answered_by: answeredBy,
  created_at: z.string(),
  expires_at: z.string(),
  ended_at: z.string().nullable(),
  cancel_initiated_at: z.string().nullable(),
  archived_at: z.string().nullable().describe('From then on there are no results.'),
  results_url: z.string().nullable(),
});

const id = (what: string): Parameter => ({
  name: 'id',
  in: 'path',
  description: `The id of a batch, which begins with \`${what}\`.`,
  schema: z.string(),
});

const theBatch = onlyAnswer('The batch.', batch);
const theMessageBatch = onlyAnswer('The batch.', messageBatch);

const limit = (most: number): Parameter => ({
  name: 'limit',
  in: 'query',
  description: 'Batches of a page: 20 by default.',
  schema: z.int().min(1).max(most).optional(),
});

const behind = (name: string, description: string): Parameter => ({
  name,
  in: 'query',
  description,
  schema: z.string().optional(),
});

export const batchCreationDescription: EndpointDescription = {
  id: 'createBatch',
  tag,
  summary: 'Answers the requests of a file within a day.',
  description: `Each line of the file is \`{"custom_id", "method": "POST", "url", "body"}\`, with the \`endpoint\` as its \`url\`. A batch has at most
50,000 lines and 200 MB. The batch needs an API key: it runs with the limits, budgets and permissions of that key.`,
  body: { [json]: { schema: batchRequest } },
  answers: onlyAnswer('The batch, whose input is checked next.', batch),
  failures: [...accountItemFailures, 'invalid_json', 'invalid_parameters', 'storage_quota_exceeded'],
};

export const batchListDescription: EndpointDescription = {
  id: 'listBatches',
  tag,
  summary: 'Lists the batches of the account and the project of the key, the newest first.',
  parameters: [limit(100), behind('after', 'The last id of the page before.')],
  answers: onlyAnswer('One page of batches.', listPage(batch)),
  failures: [...accountItemFailures, 'invalid_parameters'],
};

export const batchDescription: EndpointDescription = {
  id: 'getBatch',
  tag,
  summary: 'Returns a batch with its progress.',
  parameters: [id('batch_')],
  answers: theBatch,
  failures: accountItemFailures,
};

export const batchCancellationDescription: EndpointDescription = {
  id: 'cancelBatch',
  tag,
  summary: 'Cancels a batch.',
  description: 'Lines that run already are finished, and all results are written. A batch that has ended is refused.',
  parameters: [id('batch_')],
  answers: theBatch,
  failures: [...accountItemFailures, 'conflict'],
};

const idOfMessages = id('msgbatch_');

export const messageBatchCreationDescription: EndpointDescription = {
  id: 'createMessageBatch',
  tag,
  summary: 'Answers many requests of the Messages API within a day.',
  description:
    'A batch has at most 100,000 requests and 256 MB. It needs an API key, with whose limits, budgets and permissions it runs.',
  body: {
    [json]: {
      schema: z.strictObject({
        requests: z.array(
          z.strictObject({
            custom_id: z
              .string()
              .regex(/^[a-zA-Z0-9_-]{1,64}$/)
              .describe('1 to 64 letters, digits, hyphens or underscores, unique within the batch.'),
            params: z.looseObject({}).describe('A request of `/v1/messages` without `stream`.'),
          }),
        ),
      }),
    },
  },
  answers: theMessageBatch,
  failures: [
    ...accountFailures,
    'deadline_exceeded',
    'invalid_json',
    'invalid_parameters',
    'request_too_large',
    'storage_quota_exceeded',
  ],
};

export const messageBatchListDescription: EndpointDescription = {
  id: 'listMessageBatches',
  tag,
  summary: 'Lists the batches of the Messages API, the newest first.',
  parameters: [
    limit(1_000),
    behind('after_id', 'The last id of the page before.'),
    behind('before_id', 'The first id of the page behind.'),
  ],
  answers: onlyAnswer(
    'One page of batches.',
    z.object({
      data: z.array(messageBatch),
      has_more: z.boolean(),
      first_id: z.string().nullable(),
      last_id: z.string().nullable(),
    }),
  ),
  failures: [...accountItemFailures, 'invalid_parameters'],
};

export const messageBatchDescription: EndpointDescription = {
  id: 'getMessageBatch',
  tag,
  summary: 'Returns a batch of the Messages API with its progress.',
  parameters: [idOfMessages],
  answers: theMessageBatch,
  failures: accountItemFailures,
};

export const messageBatchCancellationDescription: EndpointDescription = {
  id: 'cancelMessageBatch',
  tag,
  summary: 'Cancels a batch of the Messages API.',
  description: 'Requests that run already are finished.',
  parameters: [idOfMessages],
  answers: theMessageBatch,
  failures: [...accountItemFailures, 'conflict'],
};

export const messageBatchDeletionDescription: EndpointDescription = {
  id: 'deleteMessageBatch',
  tag,
  summary: 'Deletes a batch of the Messages API that has ended, with its results.',
  parameters: [idOfMessages],
  answers: onlyAnswer('It is deleted.', z.object({ id: z.string(), type: z.literal('message_batch_deleted') })),
  failures: [...accountItemFailures, 'conflict'],
};

export const messageBatchResultsDescription: EndpointDescription = {
  id: 'getMessageBatchResults',
  tag,
  summary: 'Returns the results of a batch of the Messages API that has ended.',
  parameters: [idOfMessages],
  answers: {
    200: {
      description: 'A line for each request, in any order.',
      content: {
        'application/x-jsonl': {
          schema: z.object({
            custom_id: z.string(),
            result: z.looseObject({ type: z.enum(['succeeded', 'errored', 'canceled', 'expired']) }),
          }),
        },
      },
    },
  },
  failures: accountItemFailures,
};
