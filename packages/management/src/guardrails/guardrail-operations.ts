import { findingSchema, guardrailsSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';

export const guardrailOperations = {
  tryGuardrails: {
    method: 'POST',
    path: '/guardrails/try',
    summary:
      'Returns what the rules of the account, or those of the request, and of a key if one is named, do to a text. Nothing is sent to a provider or to a webhook.',
    access: 'member',
    input: z.strictObject({
      text: z.string('must be a string').min(1, 'must not be empty').max(20_000, 'must have at most 20000 characters'),
      part: z.enum(['request', 'answer']).default('request'),
      /** Tried instead of the rules of the account, which stay as they are. */
      guardrails: guardrailsSchema.optional(),
      /** The id of a key whose rules apply as well. */
      key: z.string().min(1).max(100).optional(),
    }),
    output: z.object({
      verdict: z.enum(['allow', 'block', 'redact']),
      /** The text after the rules; absent if it is blocked. */
      text: z.string().optional(),
      findings: z.array(findingSchema),
      /** The webhooks that would be asked about the text afterwards. */
      webhooks: z.array(z.string()),
      /** The decision models that would be asked about it then. */
      models: z.array(z.string()),
    }),
  },
} as const satisfies ApiOperations;
