import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';

/**
 * On a request that changes something: the revision that it was planned on; refused if there is a later one. On the answer:
 * the revision after the change.
 */
export const revisionHeader = 'x-tallyport-revision';

export const revisionSchema = z.string().regex(/^\d{1,19}$/, 'must be a revision of GET /api/v1/revision');

export const revisionOperations = {
  readRevision: {
    method: 'GET',
    path: '/revision',
    summary: `Returns the revision of accounts and all they have: every change makes a later one. A change with the revision in the header ${revisionHeader} is refused with 409 if anything has changed since, and such changes are made one after the other; its answer has the new revision in the same header.`,
    access: 'admin',
    input: z.strictObject({}),
    output: z.object({ revision: revisionSchema }),
  },
} as const satisfies ApiOperations;
