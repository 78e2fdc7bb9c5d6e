import { z } from 'zod';
import { json } from './content-types.ts';
import type { EndpointDescription } from './description.ts';
import { routingHeaders, routingMembers } from './routing-members.ts';

/** The most that any vendor accepts. */
export const mostDocuments = 10_000;

const words = z.string('must be text');
const count = z.int('must be a whole number').min(1, 'must be at least 1');

/** Unknown members are refused: dropping one could change the order without notice. */
export const rerankRequest = z.strictObject({
  model: words.min(1, 'must not be empty'),
  query: words.min(1, 'must not be empty'),
  documents: z
    .array(z.union([z.string(), z.strictObject({ text: z.string() })]))
    .min(1)
    .max(mostDocuments)
    .describe('Up to 10,000 texts, or objects with `text`.'),
  top_n: count.nullish().describe('The most results. Default: one for each document.'),
  top_k: count.nullish().describe("The same in Voyage's words."),
  return_documents: z
    .boolean('must be true or false')
    .nullish()
    .describe('Repeats the text of each document in the results. Default: false.'),
  truncation: z
    .boolean('must be true or false')
    .nullish()
    .describe('`false` refuses texts that are too long, at vendors that can: Voyage and Jina.'),
  max_tokens_per_doc: count.nullish().describe('How much of each document Cohere reads. Its default: 4,096.'),
  priority: z
    .int('must be a whole number')
    .min(0, 'must be from 0 to 999')
    .max(999, 'must be from 0 to 999')
    .nullish()
    .describe("Cohere's: 0 is the most urgent."),
  max_chunks_per_doc: z
    .null("is of Cohere's first API; use `max_tokens_per_doc`")
    .optional()
    .describe('Older clients send it without a value.'),
  user: words.nullish(),
  ...routingMembers,
});

const score = { index: z.int(), relevance_score: z.number() };

const answer = z.object({
  id: z.string(),
  object: z.literal('list'),
  model: z.string(),
  results: z
    .array(z.object({ ...score, document: z.object({ text: z.string() }).optional() }))
    .describe("In Cohere's and Jina's form, the best first."),
  data: z.array(z.object({ ...score, document: z.string().optional() })).describe("The same in Voyage's form."),
  usage: z.looseObject({
    total_tokens: z.int().describe('An estimate where search units are billed.'),
    search_units: z.int().optional(),
    cost: z.number().optional(),
  }),
  meta: z.object({ billed_units: z.object({ search_units: z.int() }) }).optional(),
  metadata: z.looseObject({ request_id: z.string() }),
});

const example = {
  model: 'sandbox-rerank',
  query: 'Where are trains sorted?',
  documents: ['Vectors compare texts.', 'In a tallyport, trains are sorted.', 'A lighthouse is red.'],
  top_n: 2,
};

export const rerankDescription: EndpointDescription = {
  id: 'rerank',
  tag: 'Rerank',
  summary: 'Orders documents by how well they answer a query, for clients of Cohere, Jina and Voyage.',
  description: `The same at \`/v1/rerank\`, \`/v2/rerank\` and \`/rerank\`. Scores of different models cannot be compared. Failover uses only
providers of the same model, or of those of \`models\`. Requests count towards the limits of chats.`,
  headers: [...routingHeaders, 'X-No-Cache'],
  body: { [json]: { schema: rerankRequest, examples: { plain: { summary: 'Three documents', value: example } } } },
  answers: {
    200: { description: 'The documents, the best first.', content: { [json]: { schema: answer } } },
  },
};
