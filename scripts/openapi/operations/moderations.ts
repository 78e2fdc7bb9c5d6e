import { z } from 'zod';
import type { DescribedOperation } from '../operation.ts';
import { fallback, noCache, noFallback, once, servedHeaders, serving } from './serving.ts';

const json = 'application/json';
const [idempotencyKey] = once;

const part = z.union([
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: z.string() }) }),
]);

const request = z.strictObject({
  model: z.string().optional().describe('Default: `omni-moderation-latest`.'),
  input: z
    .union([z.string(), z.array(z.string()), z.array(part)])
    .describe('A text, texts with one result each, or the parts of one item.'),
});

const answer = z.object({
  id: z.string(),
  model: z.string(),
  results: z.array(
    z.looseObject({
      flagged: z.boolean(),
      categories: z.record(z.string(), z.boolean()),
      category_scores: z.record(z.string(), z.number()),
    }),
  ),
  usage: z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int(), cost: z.number().optional() }),
  metadata: z.looseObject({ request_id: z.string() }),
});

const example = { model: 'sandbox-moderation', input: ['A quiet afternoon.', 'A text about violence.'] };

export const moderationOperations: readonly DescribedOperation[] = [
  {
    id: 'createModeration',
    method: 'POST',
    path: '/v1/moderations',
    tag: 'Moderations',
    summary: "Judges whether texts and images are harmful, in the format of OpenAI's moderation API.",
    description: `Categories are those of the vendor. Failover uses only providers of the same model. Requests count towards the limits
of chats.`,
    access: 'key',
    parameters: [fallback, noFallback, noCache, ...(idempotencyKey ? [idempotencyKey] : [])],
    body: { [json]: { schema: request, examples: { plain: { summary: 'Two texts', value: example } } } },
    answers: {
      200: {
        description: 'One result for each text, or one for all parts.',
        headers: servedHeaders,
        content: { [json]: { schema: answer } },
      },
    },
    failures: serving,
  },
];
