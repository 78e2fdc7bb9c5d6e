import type { Usage } from '@tallyport/wire';
import { z } from 'zod';

const count = z.int().min(0);

const promptDetails = {
  cached_tokens: count.optional(),
  cache_write_tokens: count.optional(),
  cache_write_tokens_details: z
    .object({
      ttl_5m_tokens: count.optional(),
      ttl_30m_tokens: count.optional(),
      ttl_1h_tokens: count.optional(),
      ttl_12h_tokens: count.optional(),
    })
    .optional()
    .describe('Parts of cache_write_tokens, by how long they are kept.'),
  audio_tokens: count.optional(),
  text_tokens: count.optional(),
  image_tokens: count.optional(),
  compaction_tokens: count.optional().describe('What the provider read to summarize the conversation.'),
  tool_prompt_tokens: count.optional().describe("Results of the provider's own tools."),
};

const countsSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: z.object(promptDetails).optional().describe('Parts of prompt_tokens.'),
  completion_tokens_details: z
    .object({
      reasoning_tokens: count.optional(),
      audio_tokens: count.optional(),
      accepted_prediction_tokens: count.optional(),
      rejected_prediction_tokens: count.optional(),
      text_tokens: count.optional(),
      image_tokens: count.optional(),
      compaction_tokens: count.optional().describe('The summary of the conversation.'),
    })
    .optional()
    .describe('Parts of completion_tokens.'),
  server_tool_use: z
    .object({
      web_search_requests: count.optional(),
      web_fetch_requests: count.optional(),
      code_interpreter_sessions: count.optional(),
      file_search_calls: count.optional(),
      grounding_search_requests: count.optional(),
      grounding_maps_requests: count.optional(),
      grounding_image_requests: count.optional(),
    })
    .optional()
    .describe("How often the provider's own tools ran."),
  iterations: count.optional().describe('How often the model ran, if more than once.'),
  inference_geo: z.string().optional().describe('Where the model ran, if the provider reports it.'),
  unknown_classes: z.array(z.string()).optional().describe('What the provider counted and the gateway does not know.'),
  cost: z.number().optional().describe('Cost of the answer in USD. Absent if the price is unknown.'),
});

const otherModel = z.object({
  for: z.enum(['advisor', 'image_generation']),
  model: z.string().optional().describe("The provider's name of the model."),
  usage: countsSchema,
});

/** The usage of an answer. */
export const usageSchema = countsSchema.extend({
  other_models: z
    .array(otherModel)
    .optional()
    .describe('Tokens of other models that took part, which the counts above do not include.'),
}) satisfies z.ZodType<Usage>;
