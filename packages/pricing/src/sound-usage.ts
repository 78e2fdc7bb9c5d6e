import type { Model, Offer } from '@tallyport/contracts';
import type { Usage } from '@tallyport/wire';

/** The most tokens that one call of an offer can use. */
export interface UsageBounds {
  readonly prompt: number;
  readonly completion: number;
}

/** For models whose limits are not in the catalogue. No model exceeds them. */
const [maxPrompt, maxCompletion] = [10_000_000, 1_000_000];

export function usageBounds(
  model: Pick<Model, 'contextLength' | 'maxOutput'>,
  offer: Pick<Offer, 'contextLength' | 'maxOutput'>,
): UsageBounds {
  const context = offer.contextLength ?? model.contextLength;
  return {
    prompt: context ?? maxPrompt,
    completion: offer.maxOutput ?? model.maxOutput ?? context ?? maxCompletion,
  };
}

interface SoundUsage {
  readonly usage: Usage;
  /** The reported counts were more than the model can have used. */
  readonly adjusted: boolean;
}

/**
 * Cuts a vendor's figures, for this number of choices, to the maximum of the model. The reported cost of impossible
 * counts is dropped.
 */
export function soundUsage(usage: Usage, { prompt, completion }: UsageBounds, choices: number): SoundUsage {
  const { prompt_tokens: asked, completion_tokens: answered, total_tokens: total } = usage;
  const most = completion * choices;
  const isSound =
    asked <= prompt &&
    answered <= most &&
    total <= prompt + most &&
    areAtMost(usage.prompt_tokens_details, prompt) &&
    areAtMost(usage.completion_tokens_details, most);
  if (isSound) return { usage, adjusted: false };
  const promptTokens = Math.min(asked, prompt);
  const completionTokens = Math.min(answered, most);
  const { cost: _cost, prompt_tokens_details: promptParts, completion_tokens_details: completionParts } = usage;
  const sound: Usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(promptParts && { prompt_tokens_details: eachAtMost(promptParts, promptTokens) }),
    ...(completionParts && { completion_tokens_details: eachAtMost(completionParts, completionTokens) }),
  };
  return { usage: sound, adjusted: true };
}

type Counts = Readonly<Record<string, number>>;

function areAtMost(counts: Counts | undefined, most: number): boolean {
  for (const name in counts) if ((counts[name] ?? 0) > most) return false;
  return true;
}

const eachAtMost = (counts: Counts, most: number): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Math.min(count, most)]));
