import type { ChatRequest, GeminiThinking, GeminiThinkingLevel } from '@switchyard/wire';
import { type Effort, thinkingWish } from '../conversation/thinking-wish.ts';
import type { GeminiRules } from './models.ts';

const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 512,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};

const wishedLevels: Readonly<Record<Effort, GeminiThinkingLevel>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};

const allLevels: readonly GeminiThinkingLevel[] = ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'];

/** What the client wishes, as near as the model can. Thoughts are shown whenever there may be some. */
export function geminiThinking(request: ChatRequest, { thinking }: GeminiRules): GeminiThinking | undefined {
  const wish = thinkingWish(request);
  if (wish === undefined) return undefined;
  const includeThoughts = wish.effort !== 'none';
  switch (thinking.kind) {
    case 'none':
      return undefined;
    case 'budget': {
      const wished = wish.tokens ?? budgets[wish.effort];
      return { includeThoughts, thinkingBudget: Math.min(Math.max(wished, thinking.least), thinking.most) };
    }
    case 'level':
      return { includeThoughts, thinkingLevel: nearest(wishedLevels[wish.effort], thinking.levels) };
    default:
      return thinking satisfies never;
  }
}

/** The level itself, else the next above, else the highest. */
const nearest = (wished: GeminiThinkingLevel, levels: readonly GeminiThinkingLevel[]): GeminiThinkingLevel =>
  levels.find((level) => allLevels.indexOf(level) >= allLevels.indexOf(wished)) ?? levels.at(-1) ?? wished;
