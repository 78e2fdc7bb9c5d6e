import { usageOperation } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { requestOutcomeNames } from './request-outcomes.ts';
import { requestRecordSchema, requestSummarySchema } from './request-schema.ts';
import { count } from '../count.ts';

const name = z.string().min(1).max(200);
const time = z.iso.datetime({ offset: true });

/** An amount as the database compares it. */
const amount = z.string().regex(/^\d{1,9}(\.\d{1,15})?$/, 'must be an amount in USD, such as 0.05');

/** The time and id of the last request of a page. */
const cursor = z.string().regex(/^\d{1,16}\.[\w-]{1,100}$/, 'must be the nextCursor of an earlier response');

/** What a list is ordered by. All but time begin with the highest. */
export const requestOrders = ['time', 'cost', 'tokens', 'duration', 'first_byte'] as const;

export type RequestOrder = (typeof requestOrders)[number];

const filters = {
  from: time.optional(),
  /** Exclusive. */
  to: time.optional(),
  outcome: z.enum(requestOutcomeNames).optional(),
  key: z.string().min(1).max(500).optional(),
  /** `none` means keys of no project. */
  project: name.optional(),
  end_user: z.string().min(1).max(200).optional(),
  /** The id of a user: only keys that they created, and OAuth clients that act for them. */
  member: name.optional(),
  model: name.optional(),
  /** The provider that answered. */
  provider: name.optional(),
  /** A provider that was called, whether it answered or not. */
  tried: name.optional(),
  /** A provider with a call that failed by its own fault, as its uptime counts them. */
  failed_at: name.optional(),
  operation: usageOperation.optional(),
  status: z.coerce.number('must be a number from 100 to 599').int().min(100).max(599).optional(),
  cached: z.stringbool('must be true or false').optional(),
  /** An error code, or `any`. */
  error: name.optional(),
  /** Requests that cost more. */
  cost_over: amount.optional(),
  /** The id of a request, or its `x-request-id`. */
  id: z.string().min(1).max(500).optional(),
};

const sumsOfRequestsSchema = z.object({
  requests: count,
  /** Of prompts and answers. */
  tokens: count,
  /** In USD. */
  cost: z.string(),
  /** The time of the oldest request that was examined. Absent if all were. */
  since: z.string().optional(),
});

export type RequestSums = z.infer<typeof sumsOfRequestsSchema>;

/**
 * Members see the requests of keys they created, of OAuth clients that act for them, and of projects whose admin they
 * are; admins those of the account.
 */
export const requestOperations = {
  listRequests: {
    method: 'GET',
    path: '/requests',
    summary:
      'Lists requests, newest first, of the last thirty days unless from is set. A page of a rare filter may have fewer requests than limit, or none: continue while there is a nextCursor. Another sort than time orders the newest 10,000 requests that an index finds for the filters, and of several keys fewer; sortedSince is the time of the oldest of them, and nextCursor continues with those before.',
    access: 'member',
    input: z.strictObject({
      ...filters,
      sort: z.enum(requestOrders).default('time'),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: cursor.optional(),
    }),
    output: z.object({
      requests: z.array(requestSummarySchema),
      nextCursor: z.string().optional(),
      /** The time of the oldest request that was sorted. Absent if all were. */
      sortedSince: z.string().optional(),
    }),
  },
  sumRequests: {
    method: 'GET',
    path: '/requests/sums',
    summary:
      'Counts requests and adds up their tokens and cost, with the filters of the list. Of more than 10,000 requests that an index finds, only the newest are counted, from since on.',
    access: 'member',
    input: z.strictObject(filters),
    output: sumsOfRequestsSchema,
  },
  exportRequests: {
    method: 'GET',
    path: '/requests/export',
    summary:
      'Exports the requests of a list as CSV, with the filters and in the order of the list: another sort than time orders the newest 10,000, then the 10,000 before them, and so on.',
    access: 'member',
    input: z.strictObject({ ...filters, sort: z.enum(requestOrders).default('time') }),
    output: z.string(),
    contentType: 'text/csv; charset=utf-8',
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
