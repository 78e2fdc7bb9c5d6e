import { keptTextsSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';

/** Prompts and answers of accounts with a `contentLog`. */
export const contentOperations = {
  readRequestContent: {
    method: 'GET',
    path: '/requests/{id}/content',
    summary:
      'Returns prompt and answer of a request, if the account keeps them (contentLog). Each call is in the audit log.',
    access: 'admin',
    input: z.strictObject({ id: z.string().min(1).max(500) }),
    output: keptTextsSchema,
  },
  deleteContents: {
    method: 'DELETE',
    path: '/account/contents',
    summary: 'Deletes all prompts and answers that the account keeps.',
    access: 'admin',
    input: z.strictObject({}),
    output: z.object({ deleted: z.int().min(0) }),
  },
} as const satisfies ApiOperations;
