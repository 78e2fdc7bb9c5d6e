import type { ChatRequest } from '@switchyard/wire';
import type { Effort } from '../conversation/thinking-wish.ts';
import type { BedrockRules, ThinkingStyle } from './models.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface ThinkingQuestion {
  effort: Effort | undefined;
  /** Tokens the client allows for thinking. */
  budget: number | undefined;
  /** Tokens of the whole answer: thinking has to stay below. */
  maxTokens: number | undefined;
}

export function thinkingQuestionOf(request: ChatRequest, maxTokens: number | undefined): ThinkingQuestion {
  const effort = request.reasoning_effort ?? request.reasoning?.effort ?? undefined;
  return { effort, budget: request.reasoning?.max_tokens ?? undefined, maxTokens };
}

/** What makes the model think, in the words of its own API; `undefined` where it does not. */
export function thinkingFields(question: ThinkingQuestion, { thinking }: BedrockRules): Fields | undefined {
  const { effort, budget } = question;
  if (effort === 'none' || (effort === undefined && budget === undefined)) return undefined;
  return styles[thinking](question);
}

const LEAST_BUDGET = 1_024;

const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: LEAST_BUDGET,
  low: LEAST_BUDGET,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_000,
  max: 48_000,
};

/** Three levels are what every model with levels knows. */
const levels: Readonly<Record<Effort, 'low' | 'medium' | 'high'>> = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};

const styles: Readonly<Record<ThinkingStyle, (question: ThinkingQuestion) => Fields | undefined>> = {
  none: () => undefined,
  // Thinking takes from the same tokens as the answer: a fifth is kept for it.
  budget: ({ effort = 'medium', budget = budgets[effort], maxTokens = Infinity }) => {
    const tokens = Math.min(Math.max(budget, LEAST_BUDGET), Math.floor(maxTokens * 0.8));
    return tokens < LEAST_BUDGET ? undefined : { thinking: { type: 'enabled', budget_tokens: tokens } };
  },
  adaptive: ({ effort }) => adaptive(effort === 'xhigh' ? 'high' : effort),
  'adaptive-xhigh': ({ effort }) => adaptive(effort),
  effort: ({ effort }) => ({ reasoning_effort: levels[effort ?? 'medium'] }),
  'reasoning-config': ({ effort }) => ({
    reasoningConfig: { type: 'enabled', maxReasoningEffort: levels[effort ?? 'medium'] },
  }),
};

/** Models that find their own budget take an effort beside it. */
const adaptive = (effort: Effort | undefined): Fields => ({
  thinking: { type: 'adaptive' },
  ...(effort !== undefined && { output_config: { effort: effort === 'minimal' ? 'low' : effort } }),
});
