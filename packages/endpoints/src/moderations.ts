import { z } from 'zod';
import { json } from './content-types.ts';
import type { EndpointDescription } from './description.ts';
import { promptUsageSchema } from './prompt-usage.ts';
import { routingHeaders, routingMembers } from './routing-members.ts';

/** OpenAI's default, for clients that name no model. */
export const defaultModerationModel = 'omni-moderation-latest';

const words = z.string('must be text');
const part = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('text'), text: words }),
    z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: words }) }),
  ],
  'must have the type `text` or `image_url`',
);

/** Unknown members are refused: dropping one could change the judgement without notice. */
export const moderationRequest = z.strictObject({
  model: words.min(1, 'must not be empty').nullish().describe(`Default: \`${defaultModerationModel}\`.`),
  input: z
    .union(
      [words, z.array(words).min(1), z.array(part).min(1)],
      'must be text, a list of texts, or a list of parts of text and images',
    )
    .describe('A text, texts with one result each, or the parts of one item.'),
  ...routingMembers,
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
  usage: promptUsageSchema,
  metadata: z.looseObject({ request_id: z.string() }),
});

const example = { model: 'sandbox-moderation', input: ['A quiet afternoon.', 'A text about violence.'] };

export const moderationsDescription: EndpointDescription = {
  id: 'createModeration',
  tag: 'Moderations',
  summary: "Judges whether texts and images are harmful, in the format of OpenAI's moderation API.",
  description: `Categories are those of the vendor. Failover uses only providers of the same model, or of those of \`models\`. Requests count towards the limits
of chats.`,
  headers: [...routingHeaders, 'X-No-Cache'],
  body: { [json]: { schema: moderationRequest, examples: { plain: { summary: 'Two texts', value: example } } } },
  answers: {
    200: { description: 'One result for each text, or one for all parts.', content: { [json]: { schema: answer } } },
  },
};
