import type { ChatChunk, ChatCompletion } from '@tallyport/wire';
import { z } from 'zod';
import { metadataSchema } from '../answer-metadata.ts';
import { usageSchema } from '../answer-usage.ts';

const count = z.int().min(0);

const image = z.object({
  type: z.literal('image_url'),
  image_url: z.object({ url: z.string().describe('A data URL.') }),
  index: z.int().optional(),
  extra_content: z.record(z.string(), z.unknown()).optional(),
});

const logprob = z.object({ token: z.string(), logprob: z.number(), bytes: z.array(z.int()).nullable() });
const logprobs = z
  .object({
    content: z.array(logprob.extend({ top_logprobs: z.array(logprob) })).nullable(),
    refusal: z.array(logprob.extend({ top_logprobs: z.array(logprob) })).nullable(),
  })
  .nullable();

const annotations = z.array(
  z.object({
    type: z.literal('url_citation'),
    url_citation: z.object({ start_index: z.int(), end_index: z.int(), title: z.string(), url: z.string() }),
  }),
);

const finishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']);
const reasoning = z.string().describe('The reasoning, never part of the content.');
const extra = { extra_content: z.record(z.string(), z.unknown()).optional() };

const toolCall = z.discriminatedUnion('type', [
  z.object({
    id: z.string(),
    type: z.literal('function'),
    function: z.object({ name: z.string(), arguments: z.string().describe('JSON as text.') }),
    ...extra,
  }),
  z.object({
    id: z.string(),
    type: z.literal('custom'),
    custom: z.object({ name: z.string(), input: z.string() }),
    ...extra,
  }),
]);

const contentOrder = z
  .array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('reasoning'), length: count, details: count }),
      z.object({ type: z.literal('text'), length: count, annotations: count }),
      z.object({ type: z.literal('tool_call'), index: count }),
    ]),
  )
  .describe(
    'The order in which the model wrote thinking, texts and calls, if not all text precedes all calls. Lengths are in UTF-16 units of content and reasoning_content.',
  );

const stopReason = z.unknown().describe('The stop text that ended the answer, if the provider reports it.');

const commonMembers = {
  created: z.int().describe('Unix time in seconds.'),
  model: z.string().describe('The `<provider>/<model>` that answered.'),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast']).nullish(),
  system_fingerprint: z.string().optional(),
  metadata: metadataSchema.optional(),
};

export const completionSchema = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion'),
  ...commonMembers,
  choices: z.array(
    z.looseObject({
      index: z.int(),
      message: z.looseObject({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        refusal: z.string().nullable(),
        reasoning_content: reasoning.optional(),
        images: z.array(image).optional().describe('Generated images.'),
        annotations: annotations.optional(),
        tool_calls: z.array(toolCall).optional(),
        content_order: contentOrder.optional(),
      }),
      logprobs,
      finish_reason: finishReason,
      stop_reason: stopReason.optional(),
    }),
  ),
  usage: usageSchema.optional(),
}) satisfies z.ZodType<ChatCompletion>;

export const chunkSchema = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  ...commonMembers,
  choices: z.array(
    z.looseObject({
      index: z.int(),
      delta: z.looseObject({
        role: z.literal('assistant').optional(),
        content: z.string().nullish(),
        refusal: z.string().nullish(),
        reasoning_content: reasoning.optional(),
        images: z.array(image).optional(),
        annotations: annotations.optional(),
        tool_calls: z
          .array(
            z.object({
              index: z.int(),
              id: z.string().optional(),
              type: z.enum(['function', 'custom']).optional(),
              function: z.object({ name: z.string().optional(), arguments: z.string().optional() }).optional(),
              custom: z.object({ name: z.string().optional(), input: z.string().optional() }).optional(),
              ...extra,
            }),
          )
          .optional(),
      }),
      logprobs: logprobs.optional(),
      finish_reason: finishReason.nullable(),
      stop_reason: stopReason.optional(),
    }),
  ),
  usage: usageSchema
    .nullish()
    .describe('With stream_options.include_usage: null until the last chunk, which has no choices.'),
});

type Assert<Right extends true> = Right;
/** Clients get `usage: null` in a chunk; in our own type the member is absent. */
export type ChunkFits = Assert<
  Omit<z.infer<typeof chunkSchema>, 'usage'> extends Omit<ChatChunk, 'usage'> ? true : false
>;
