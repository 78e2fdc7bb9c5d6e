import { z } from 'zod';

const onePrompt = 'must be one string: several prompts and tokens are not supported';

/** A request of the legacy API. The members of chat completions that both APIs have are checked there. */
export const completionRequestSchema = z.looseObject({
  model: z.string().min(1),
  prompt: z.union([z.string(), z.array(z.string()).length(1)], { error: onePrompt }),
  // Only what a chat cannot express differently; the values that mean "no" are accepted.
  suffix: z.literal('', 'is not supported: chat models do not fill in the middle of a text').nullish(),
  echo: z.literal(false, 'is not supported: put the prompt in front of the text yourself').nullish(),
  best_of: z.literal(1, 'is not supported: use n').nullish(),
  logprobs: z.null('is not supported here: use /v1/chat/completions').optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.int().min(1).nullish(),
  n: z.int().min(1).max(128).nullish(),
  stop: z.union([z.string(), z.array(z.string())], { error: 'must be a string or an array of strings' }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  seed: z.int().nullish(),
  user: z.string().nullish(),
});
