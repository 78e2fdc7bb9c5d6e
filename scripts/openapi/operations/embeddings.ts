import { inputTypes } from '@tallyport/providers';
import { z } from 'zod';
import type { DescribedOperation } from '../operation.ts';
import { fallback, noCache, noFallback, once, servedHeaders, serving } from './serving.ts';

const json = 'application/json';
const [idempotencyKey] = once;

export const embeddingRequest = z.strictObject({
  model: z.string(),
  input: z
    .union([z.string(), z.array(z.string()), z.array(z.int()), z.array(z.array(z.int()))])
    .describe('A text, up to 2,048 texts, the tokens of a text, or lists of tokens.'),
  dimensions: z.int().optional().describe('The length of the vectors, for models that can cut them.'),
  encoding_format: z.enum(['float', 'base64']).optional().describe('`base64`: float32 numbers, the lowest byte first.'),
  input_type: z
    .enum(inputTypes)
    .optional()
    .describe("What the vectors are for, for models that make different ones: Cohere's and some of Google's."),
  user: z.string().optional(),
});

const answer = z.object({
  object: z.literal('list'),
  model: z.string(),
  usage: z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int(), cost: z.number().optional() }),
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

export const embeddingOperations: readonly DescribedOperation[] = [
  {
    id: 'createEmbeddings',
    method: 'POST',
    path: '/v1/embeddings',
    tag: 'Embeddings',
    summary: "Turns texts into vectors, in the format of OpenAI's embeddings API.",
    description: `A request with more inputs than a provider accepts is split and joined in order. Failover uses only providers of the
same model, because vectors of different models cannot be compared. Requests count towards the limits of chats.`,
    access: 'key',
    parameters: [fallback, noFallback, noCache, ...(idempotencyKey ? [idempotencyKey] : [])],
    body: { [json]: { schema: embeddingRequest, examples: { plain: { summary: 'Two texts', value: example } } } },
    answers: {
      200: {
        description: 'The vectors, in the order of the inputs.',
        headers: servedHeaders,
        content: { [json]: { schema: answer } },
      },
    },
    failures: serving,
  },
];
