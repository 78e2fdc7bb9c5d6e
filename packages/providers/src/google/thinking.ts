import type { ChatRequest, GeminiThinking, GeminiThinkingLevel } from '@tallyport/wire';
import { type Effort, requestedThinking } from '../conversation/requested-thinking.ts';
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
  xhigh: 'XHIGH',
  max: 'XHIGH',
};

const allLevels: readonly GeminiThinkingLevel[] = ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'XHIGH'];

/** The closest setting to the requested effort. Thoughts are returned whenever the model may think. */
export function geminiThinking(request: ChatRequest, { thinking }: GeminiRules): GeminiThinking | undefined {
  const requested = requestedThinking(request);
  if (requested === undefined) return undefined;
  const includeThoughts = requested.effort !== 'none';
  switch (thinking.kind) {
    case 'none':
      return undefined;
    case 'budget': {
      const wantedLevel = requested.tokens ?? budgets[requested.effort];
      return { includeThoughts, thinkingBudget: Math.min(Math.max(wantedLevel, thinking.least), thinking.most) };
    }
    case 'level':
      return { includeThoughts, thinkingLevel: nearest(wishedLevels[requested.effort], thinking.levels) };
    default:
      return thinking satisfies never;
  }
}

/** The level itself, else the next higher one, else the highest. */
const nearest = (wantedLevel: GeminiThinkingLevel, levels: readonly GeminiThinkingLevel[]): GeminiThinkingLevel =>
  levels.find((level) => allLevels.indexOf(level) >= allLevels.indexOf(wantedLevel)) ?? levels.at(-1) ?? wantedLevel;
