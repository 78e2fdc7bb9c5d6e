import type { ChatOutcome, ImageOutcome, ServedImages } from '@switchyard/dispatch';
import { estimateTextTokens } from '@switchyard/pricing';
import type { ImagesUsage, Usage } from '@switchyard/wire';

/** Tokens as chats count them. For vendors that count only images, the prompt's are estimated and the images take none. */
export function chatUsageOf({ usage, cost }: Pick<ServedImages, 'cost' | 'usage'>, prompt: string): Usage {
  const tokens = usage === undefined ? estimated(prompt) : counted(usage);
  return { ...tokens, ...(cost !== undefined && { cost }) };
}

function estimated(prompt: string): Usage {
  const tokens = estimateTextTokens(prompt.length);
  return { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens };
}

const counted = (usage: ImagesUsage): Usage => ({
  prompt_tokens: usage.input_tokens,
  completion_tokens: usage.output_tokens,
  total_tokens: usage.total_tokens,
  ...(usage.input_tokens_details && { prompt_tokens_details: usage.input_tokens_details }),
  ...(usage.output_tokens_details && { completion_tokens_details: usage.output_tokens_details }),
});

/** The outcome as that of a chat, for its events. */
export const chatOutcomeOf = (outcome: ImageOutcome, prompt: string): ChatOutcome => ({
  ...outcome,
  usage: outcome.served && chatUsageOf(outcome, prompt),
  usageEstimated: outcome.served !== undefined && outcome.usage === undefined,
  skippedFrames: 0,
  images: outcome.images.length,
  firstContentMs: outcome.served && outcome.durationMs,
});
