import type { ChatRequest } from '@tallyport/wire';
import { type Effort, type RequestedThinking, requestedThinking } from '../conversation/requested-thinking.ts';
import type { BedrockRules, ThinkingStyle } from './models.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How much the client asks the model to think, and the token limit of the whole answer, which is above any budget. */
interface BedrockThinking extends RequestedThinking {
  maxTokens: number | undefined;
}

interface BedrockThinkingOptions {
  rules: BedrockRules;
  maxTokens: number | undefined;
}

/**
 * The members that switch thinking on, in the model's own API; `undefined` if the client leaves it to the model or the
 * model does not think.
 */
export function thinkingFields(
  request: ChatRequest,
  { rules: { thinking }, maxTokens }: BedrockThinkingOptions,
): Fields | undefined {
  const requested = requestedThinking(request);
  if (requested === undefined) return undefined;
  if (requested.effort !== 'none') return styles[thinking]({ ...requested, maxTokens });
  return thinking === 'adaptive-always' ? { output_config: { effort: 'low' } } : undefined;
}

const MIN_BUDGET = 1_024;

const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: MIN_BUDGET,
  low: MIN_BUDGET,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_000,
  max: 48_000,
};

/** The three levels that every model with levels supports. */
const levels: Readonly<Record<Effort, 'low' | 'medium' | 'high'>> = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};

const styles: Readonly<Record<ThinkingStyle, (requested: BedrockThinking) => Fields | undefined>> = {
  none: () => undefined,
  // Thinking and the answer share one token limit, so a fifth of it is reserved for the answer.
  budget: ({ effort, tokens: wished = budgets[effort], maxTokens = Infinity }) => {
    const tokens = Math.min(Math.max(wished, MIN_BUDGET), Math.floor(maxTokens * 0.8));
    return tokens < MIN_BUDGET ? undefined : { thinking: { type: 'enabled', budget_tokens: tokens } };
  },
  adaptive: ({ effort }) => adaptive(effort === 'xhigh' ? 'high' : effort),
  'adaptive-xhigh': ({ effort }) => adaptive(effort),
  'adaptive-always': ({ effort }) => adaptive(effort),
  effort: ({ effort }) => ({ reasoning_effort: levels[effort] }),
  'reasoning-config': ({ effort }) => ({
    reasoningConfig: { type: 'enabled', maxReasoningEffort: levels[effort] },
  }),
};

/** Adaptive models choose their own budget, guided by an effort. */
const adaptive = (effort: Effort): Fields => ({
  thinking: { type: 'adaptive' },
  output_config: { effort: effort === 'minimal' ? 'low' : effort },
});
