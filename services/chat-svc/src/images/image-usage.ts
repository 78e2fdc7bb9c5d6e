import type { ChatOutcome, ImageOutcome, ServedImages } from '@tallyport/dispatch';
import { estimateTextTokens, withDetails } from '@tallyport/pricing';
import type { ImagesUsage, Usage } from '@tallyport/wire';

/** Usage in the form of chats. If the vendor counts only images, the prompt is estimated and images count no tokens. */
export function chatUsageOf({ usage, cost }: Pick<ServedImages, 'cost' | 'usage'>, prompt: string): Usage {
  const tokens = usage === undefined ? estimated(prompt) : counted(usage);
  return { ...withDetails(tokens), ...(cost !== undefined && { cost }) };
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

/** The outcome in the form of chats, for their events. */
export const chatOutcomeOf = (outcome: ImageOutcome, prompt: string): ChatOutcome => ({
  ...outcome,
  usage: outcome.served && chatUsageOf(outcome, prompt),
  usageEstimated: outcome.served !== undefined && outcome.usage === undefined,
  skippedFrames: 0,
  images: outcome.images.length,
  firstContentMs: outcome.served && outcome.durationMs,
});
