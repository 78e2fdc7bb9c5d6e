import type { ChatRequest, MessagesEffort, MessagesThinking } from '@tallyport/wire';
import { asksForThinking, type Effort, requestedThinking } from '../conversation/requested-thinking.ts';
import { thoughtRules } from './kept-thoughts.ts';
import { type ClaudeRules, claudeRules } from './models.ts';

/** The thinking members of a request. */
interface Thinking {
  thinking?: MessagesThinking;
  effort?: MessagesEffort;
}

interface ThinkingOptions {
  request: ChatRequest;
  rules: ClaudeRules;
  maxTokens: number;
  /** A tool call is forced, which the vendor does not allow while the model thinks. */
  forced: boolean;
  /** The client continues after tool calls without sending back the thinking that led to them. */
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
const minBudget = 1_024;

/** In order of preference: a model without the requested effort gets the next one in the list. */
const efforts: Readonly<Record<Effort, readonly MessagesEffort[]>> = {
  none: [],
  minimal: ['low'],
  low: ['low'],
  medium: ['medium'],
  high: ['high'],
  xhigh: ['xhigh', 'high'],
  max: ['max'],
};

/** What the client requests, as far as the model and the rest of the request allow it. */
export function anthropicThinking(options: ThinkingOptions): Thinking {
  const requested = requestedThinking(options.request);
  if (requested === undefined) return {};
  switch (options.rules.thinking) {
    case 'none':
      return {};
    case 'budget':
      return budgetThinking(requested.tokens ?? budgets[requested.effort], options);
    case 'adaptive':
      return adaptiveThinking(requested.effort, options);
    default:
      return options.rules.thinking satisfies never;
  }
}

export const claudeThoughts = thoughtRules((request, { modelName }) => {
  const { thinking, thinkingOff } = claudeRules(modelName);
  return thinking !== 'none' && (asksForThinking(request) || !thinkingOff);
});

function adaptiveThinking(effort: Effort, { rules, forced, unsigned }: ThinkingOptions): Thinking {
  if (effort === 'none') return rules.thinkingOff ? { thinking: { type: 'disabled' } } : { effort: 'low' };
  const known = efforts[effort].find((wished) => rules.efforts.includes(wished));
  return {
    ...(!unsigned && !forced && { thinking: { type: 'adaptive', display: 'summarized' } }),
    ...(known && { effort: known }),
  };
}

/** Thinking and the answer share one token limit, so a fifth of it is reserved for the answer. */
function budgetThinking(wished: number, { maxTokens, forced, unsigned }: ThinkingOptions): Thinking {
  const tokens = Math.min(Math.max(wished, wished === 0 ? 0 : minBudget), Math.floor(maxTokens * 0.8));
  if (tokens < minBudget || forced || unsigned) return {};
  return { thinking: { type: 'enabled', budget_tokens: tokens } };
}
