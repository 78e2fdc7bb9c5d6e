import { inputTypes, vectorTypes } from '@tallyport/providers';
import { z } from 'zod';
import { json } from './content-types.ts';
import type { EndpointDescription } from './description.ts';
import { promptUsageSchema } from './prompt-usage.ts';
import { routingHeaders, routingMembers } from './routing-members.ts';

/** OpenAI's limit. Vendors that accept fewer get several calls. */
export const mostInputs = 2_048;

const text = z.string().min(1);
const tokens = z.array(z.int().min(0)).min(1);

const dimension = z.int('must be a whole number').min(1, 'must be at least 1').max(100_000, 'is too large');
/** Voyage's words for searches are accepted as well. */
const inputNames = [...inputTypes, 'document', 'query'] as const;

/** Unknown members are refused: dropping one could change the vectors without notice. */
export const embeddingRequest = z.strictObject({
  model: z.string('must be text').min(1, 'must not be empty'),
  input: z
    .union([
      text,
      tokens,
      z
        .array(z.union([text, tokens]))
        .min(1)
        .max(mostInputs),
    ])
    .describe('A text, the tokens of a text, or up to 2,048 of these.'),
  dimensions: dimension.nullish().describe('The length of the vectors, for models that can cut them.'),
  encoding_format: z
    .enum(['float', 'base64'], 'must be `float` or `base64`')
    .nullish()
    .describe('`base64`: float32 numbers, the lowest byte first.'),
  /** Ours, in Cohere's words. */
  input_type: z
    .enum(inputNames, `must be one of ${inputNames.join(', ')}`)
    .nullish()
    .describe(
      "What the vectors are for, for models that make different ones: Cohere's, Voyage's, Jina's and some of Google's.",
    ),
  output_dimension: dimension.nullish().describe("`dimensions` in Cohere's and Voyage's words."),
  output_dtype: z
    .enum(vectorTypes, `must be one of ${vectorTypes.join(', ')}`)
    .nullish()
    .describe('What the numbers are, for models with such vectors. `binary` and `ubinary` have eight in one.'),
  truncation: z
    .boolean('must be true or false')
    .nullish()
    .describe('`true` shortens a text that is too long, at vendors that can; otherwise it is refused.'),
  user: z.string('must be text').nullish(),
  ...routingMembers,
});

const answer = z.object({
  object: z.literal('list'),
  model: z.string(),
  usage: promptUsageSchema,
  metadata: z.looseObject({ request_id: z.string() }),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
});

const example = { model: 'sandbox-embedding', input: ['What is a tallyport?', 'A place where trains are sorted.'] };

export const embeddingsDescription: EndpointDescription = {
  id: 'createEmbeddings',
  tag: 'Embeddings',
  summary: "Turns texts into vectors, in the format of OpenAI's embeddings API.",
  description: `A request with more inputs than a provider accepts is split and joined in order. Failover uses only providers of the
same model, because vectors of different models cannot be compared, unless the request has \`models\`: it needs \`dimensions\` then,
and the answer names the model. Requests count towards the limits of chats.`,
  headers: [...routingHeaders, 'X-No-Cache'],
  body: { [json]: { schema: embeddingRequest, examples: { plain: { summary: 'Two texts', value: example } } } },
  answers: {
    200: { description: 'The vectors, in the order of the inputs.', content: { [json]: { schema: answer } } },
  },
};
