import { usageOperation } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { requestRecordSchema, requestSummarySchema } from './request-schema.ts';

const name = z.string().min(1).max(200);
const time = z.iso.datetime({ offset: true });

/** An amount as the database compares it. */
const amount = z.string().regex(/^\d{1,9}(\.\d{1,15})?$/, 'must be an amount in USD, such as 0.05');

/** The time and id of the last request of a page. */
const cursor = z.string().regex(/^\d{1,16}\.[\w-]{1,100}$/, 'must be the nextCursor of an earlier response');

/**
 * Members see the requests of keys they created, of OAuth clients that act for them, and of projects whose admin they
 * are; admins those of the account.
 */
export const requestOperations = {
  listRequests: {
    method: 'GET',
    path: '/requests',
    summary:
      'Lists requests, newest first, of the last thirty days unless from is set. A page of a rare filter may have fewer requests than limit, or none: continue while there is a nextCursor.',
    access: 'member',
    input: z.strictObject({
      from: time.optional(),
      /** Exclusive. */
      to: time.optional(),
      key: z.string().min(1).max(500).optional(),
      /** `none` means keys of no project. */
      project: name.optional(),
      model: name.optional(),
      provider: name.optional(),
      operation: usageOperation.optional(),
      status: z.coerce.number().int().min(100).max(599).optional(),
      cached: z.stringbool('must be true or false').optional(),
      /** An error code, or `any`. */
      error: name.optional(),
      /** Requests that cost more. */
      cost_over: amount.optional(),
      /** The id of a request, or its `x-request-id`. */
      id: z.string().min(1).max(500).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: cursor.optional(),
    }),
    output: z.object({ requests: z.array(requestSummarySchema), nextCursor: z.string().optional() }),
  },
  readRequest: {
    method: 'GET',
    path: '/requests/{id}',
    summary: 'Returns one request with its attempts and the reason for each, its tokens and prices, cache and limits.',
    access: 'member',
    input: z.strictObject({ id: z.string().min(1).max(500) }),
    output: requestRecordSchema,
  },
} as const satisfies ApiOperations;
