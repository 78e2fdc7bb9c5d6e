import { vectorTypes } from '@tallyport/providers';
import { z } from 'zod';
import { json } from './content-types.ts';
import type { EndpointDescription } from './description.ts';
import { promptUsageSchema } from './prompt-usage.ts';
import { routingHeaders, routingMembers } from './routing-members.ts';

/** Cohere's limit. */
const mostTexts = 96;

const inputTypes = ['search_document', 'search_query', 'classification', 'clustering'] as const;

const text = z.string('must be text').min(1, 'must not be empty');

const onlyTexts = 'is not supported: send texts';

/** Unknown members are refused: dropping one could change the vectors without notice. */
export const embedByTypeRequest = z.strictObject({
  model: text,
  input_type: z
    .enum(inputTypes, `must be one of ${inputTypes.join(', ')}`)
    .nullish()
    .describe('What the vectors are for. Models that make one kind of vector refuse it; leave it out for them.'),
  texts: z.array(text).min(1, 'must not be empty').max(mostTexts, `must have at most ${mostTexts} entries`).nullish(),
  inputs: z
    .array(z.strictObject({ content: z.array(z.strictObject({ type: z.literal('text', onlyTexts), text })).length(1) }))
    .min(1, 'must not be empty')
    .max(mostTexts, `must have at most ${mostTexts} entries`)
    .nullish()
    .describe('The same as `texts`, each as a part.'),
  images: z.null(onlyTexts).optional(),
  embedding_types: z
    .array(z.enum(vectorTypes, `must be one of ${vectorTypes.join(', ')}`))
    .length(1, 'must have one type; send a request for each')
    .nullish()
    .describe('One type; `float` when missing.'),
  output_dimension: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(100_000, 'is too large')
    .nullish()
    .describe('The length of the vectors, for models that can cut them.'),
  truncate: z
    .enum(['NONE', 'END'], 'must be `NONE` or `END`')
    .nullish()
    .describe('`END` shortens a text that is too long, at vendors that can; otherwise it is refused.'),
  ...routingMembers,
});

const vectors = z.array(z.array(z.number())).optional();

const answer = z.object({
  id: z.string(),
  response_type: z.literal('embeddings_by_type'),
  model: z.string(),
  texts: z.array(z.string()),
  meta: z.object({
    api_version: z.object({ version: z.literal('2') }),
    billed_units: z.object({ input_tokens: z.int() }),
  }),
  usage: promptUsageSchema,
  metadata: z.looseObject({ request_id: z.string() }),
  embeddings: z
    .object({ float: vectors, int8: vectors, uint8: vectors, binary: vectors, ubinary: vectors })
    .describe('By the type that was asked for, in the order of the texts.'),
});

const example = {
  model: 'sandbox-embedding',
  texts: ['What is a tallyport?', 'A place where trains are sorted.'],
  embedding_types: ['float'],
};

export const embedByTypeDescription: EndpointDescription = {
  id: 'embedByType',
  tag: 'Embeddings',
  summary: "The same in the format of Cohere's second embed API, for texts.",
  description: 'The models of every vendor. Limits and failover are those of `/v1/embeddings`.',
  headers: [...routingHeaders, 'X-No-Cache'],
  body: { [json]: { schema: embedByTypeRequest, examples: { plain: { summary: 'Two texts', value: example } } } },
  answers: {
    200: { description: 'The vectors, in the order of the texts.', content: { [json]: { schema: answer } } },
  },
};
