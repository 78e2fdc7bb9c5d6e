import type { ImageOutcome, Outcome, ServedImages } from '@switchyard/dispatch';
import type { ImagesUsage, Usage } from '@switchyard/wire';

/** Four characters to a token, as for chats whose provider tells none. */
const charactersPerToken = 4;

/** Tokens as chats count them. Of vendors that count images only, the prompt's are estimated and the images take none. */
export function chatUsageOf({ usage, cost }: Pick<ServedImages, 'cost' | 'usage'>, prompt: string): Usage {
  const tokens = usage === undefined ? estimated(prompt) : counted(usage);
  return { ...tokens, ...(cost !== undefined && { cost }) };
}

function estimated(prompt: string): Usage {
  const tokens = Math.ceil(prompt.length / charactersPerToken);
  return { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens };
}

const counted = (usage: ImagesUsage): Usage => ({
  prompt_tokens: usage.input_tokens,
  completion_tokens: usage.output_tokens,
  total_tokens: usage.total_tokens,
  ...(usage.input_tokens_details && { prompt_tokens_details: usage.input_tokens_details }),
  ...(usage.output_tokens_details && { completion_tokens_details: usage.output_tokens_details }),
});

/** What became of it, in the words of chats. */
export const chatOutcomeOf = (outcome: ImageOutcome, prompt: string): Outcome => {
  const { attempts, served, images, durationMs, endReason, error } = outcome;
  return {
    ...{ attempts, served, durationMs, endReason, error },
    ownKey: attempts.at(-1)?.own_key === true,
    usage: served && chatUsageOf(outcome, prompt),
    usageEstimated: served !== undefined && outcome.usage === undefined,
    skippedFrames: 0,
    images: images.length,
    firstContentMs: served && durationMs,
  };
};
