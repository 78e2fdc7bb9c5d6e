import type { ChatRequest } from '@switchyard/wire';
import type { Effort } from '../conversation/requested-thinking.ts';
import type { BedrockRules, ThinkingStyle } from './models.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface BedrockThinkingOptions {
  effort: Effort | undefined;
  /** Tokens the client allows for thinking. */
  budget: number | undefined;
  /** Token limit of the whole answer. The thinking budget must be smaller. */
  maxTokens: number | undefined;
}

export function thinkingQuestionOf(request: ChatRequest, maxTokens: number | undefined): BedrockThinkingOptions {
  const effort = request.reasoning_effort ?? request.reasoning?.effort ?? undefined;
  return { effort, budget: request.reasoning?.max_tokens ?? undefined, maxTokens };
}

/** The members that switch thinking on, in the model's own API; `undefined` if the model does not think. */
export function thinkingFields(question: BedrockThinkingOptions, { thinking }: BedrockRules): Fields | undefined {
  const { effort, budget } = question;
  if (effort === 'none' && thinking === 'adaptive-always') return { output_config: { effort: 'low' } };
  if (effort === 'none' || (effort === undefined && budget === undefined)) return undefined;
  return styles[thinking](question);
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

const styles: Readonly<Record<ThinkingStyle, (question: BedrockThinkingOptions) => Fields | undefined>> = {
  none: () => undefined,
  // Thinking and the answer share one token limit, so a fifth of it is reserved for the answer.
  budget: ({ effort = 'medium', budget = budgets[effort], maxTokens = Infinity }) => {
    const tokens = Math.min(Math.max(budget, MIN_BUDGET), Math.floor(maxTokens * 0.8));
    return tokens < MIN_BUDGET ? undefined : { thinking: { type: 'enabled', budget_tokens: tokens } };
  },
  adaptive: ({ effort }) => adaptive(effort === 'xhigh' ? 'high' : effort),
  'adaptive-xhigh': ({ effort }) => adaptive(effort),
  'adaptive-always': ({ effort }) => adaptive(effort),
  effort: ({ effort }) => ({ reasoning_effort: levels[effort ?? 'medium'] }),
  'reasoning-config': ({ effort }) => ({
    reasoningConfig: { type: 'enabled', maxReasoningEffort: levels[effort ?? 'medium'] },
  }),
};

/** Adaptive models choose their own budget and accept an effort. */
const adaptive = (effort: Effort | undefined): Fields => ({
  thinking: { type: 'adaptive' },
  ...(effort !== undefined && { output_config: { effort: effort === 'minimal' ? 'low' : effort } }),
});
