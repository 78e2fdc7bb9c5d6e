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
export function soundUsage(usage: Usage, bounds: UsageBounds, choices: number): SoundUsage {
  const { prompt_tokens: asked, completion_tokens: answered, total_tokens: total } = usage;
  const runs = runsOf(usage);
  const prompt = bounds.prompt * runs;
  const most = bounds.completion * choices * runs;
  const isSound =
    asked <= prompt &&
    answered <= most &&
    total <= prompt + most &&
    areAtMost(usage.prompt_tokens_details, prompt) &&
    areAtMost(usage.completion_tokens_details, most);
  if (isSound) return { usage, adjusted: false };
  const promptTokens = Math.min(asked, prompt);
  const completionTokens = Math.min(answered, most);
  const {
    cost: _cost,
    prompt_tokens_details: promptParts,
    completion_tokens_details: completionParts,
    ...rest
  } = usage;
  const sound: Usage = {
    ...rest,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(promptParts && { prompt_tokens_details: eachAtMost(promptParts, promptTokens) }),
    ...(completionParts && { completion_tokens_details: eachAtMost(completionParts, completionTokens) }),
  };
  return { usage: sound, adjusted: true };
}

/** The model reads its prompt again after each use of a vendor's tool, and to summarize it. */
function runsOf({ iterations = 1, server_tool_use: tools }: Usage): number {
  if (tools === undefined) return bounded(iterations);
  let uses = 1;
  for (const count of Object.values(tools)) uses += count;
  return bounded(Math.max(iterations, uses));
}

const mostRuns = 100;
const bounded = (runs: number): number => Math.min(Math.max(1, runs), mostRuns);

type Counts = Readonly<Record<string, number | object>>;

function areAtMost(counts: Counts | undefined, most: number): boolean {
  for (const name in counts) {
    const count = counts[name];
    if (typeof count === 'number' && count > most) return false;
  }
  return true;
}

/** Lifetimes of cache writes are cut to these when they are counted. */
const eachAtMost = (counts: Counts, most: number): Record<string, number> =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, typeof count === 'number' ? Math.min(count, most) : count]),
  ) as Record<string, number>;
