import type { ChatRequest, MessagesEffort, MessagesThinking } from '@switchyard/wire';
import { type Effort, thinkingWish } from '../conversation/thinking-wish.ts';
import type { ClaudeRules } from './models.ts';

/** How a request makes the model think. */
export interface Thinking {
  thinking?: MessagesThinking;
  effort?: MessagesEffort;
}

export interface ThinkingOptions {
  request: ChatRequest;
  rules: ClaudeRules;
  maxTokens: number;
  /** A tool has to be called. */
  forced: boolean;
  /** The client goes on after tool calls whose thinking it did not bring back. */
  unsigned: boolean;
}

const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_000,
  max: 48_000,
};
const leastBudget = 1_024;

/** Best first: what a model without the wished effort gets. */
const efforts: Readonly<Record<Effort, readonly MessagesEffort[]>> = {
  none: [],
  minimal: ['low'],
  low: ['low'],
  medium: ['medium'],
  high: ['high'],
  xhigh: ['xhigh', 'high'],
  max: ['max'],
};

/** What the client wishes, as far as the model and the rest of the request let it. */
export function anthropicThinking(options: ThinkingOptions): Thinking {
  const wish = thinkingWish(options.request);
  if (wish === undefined) return {};
  switch (options.rules.thinking) {
    case 'none':
      return {};
    case 'budget':
      return budgetThinking(wish.tokens ?? budgets[wish.effort], options);
    case 'adaptive':
      return adaptiveThinking(wish.effort, options);
    default:
      return options.rules.thinking satisfies never;
  }
}

function adaptiveThinking(effort: Effort, { rules, unsigned }: ThinkingOptions): Thinking {
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  const known = efforts[effort].find((wished) => rules.efforts.includes(wished));
  return {
    ...(!unsigned && { thinking: { type: 'adaptive', display: 'summarized' } }),
    ...(known && { effort: known }),
  };
}

/** Thinking takes from the same tokens as the answer: a fifth is kept for it. */
function budgetThinking(wished: number, { maxTokens, forced, unsigned }: ThinkingOptions): Thinking {
  const tokens = Math.min(Math.max(wished, wished === 0 ? 0 : leastBudget), Math.floor(maxTokens * 0.8));
  if (tokens < leastBudget || forced || unsigned) return {};
  return { thinking: { type: 'enabled', budget_tokens: tokens } };
}
