import type { Choice } from './choice.ts';
import type { ChatQuestion } from './question.ts';
import { hasDirective } from './directives.ts';

/** A token is four characters: simple, and the same for a stream and a whole answer. */
export const charactersPerToken = 4;

/** Disjoint classes of tokens. Each family adds them up in its own way. */
export interface TokenCounts {
  /** Prompt tokens that were not cached. */
  readonly fresh: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly visible: number;
  readonly reasoning: number;
}

export function spentTokens(question: ChatQuestion, choices: readonly Choice[]): TokenCounts {
  const prompt = Math.max(1, tokensOf(question.promptCharacters));
  const cached = hasDirective(question.lastText, 'cached');
  const cacheRead = cached ? Math.floor(prompt / 2) : 0;
  const cacheWrite = cached ? Math.floor(prompt / 4) : 0;
  return {
    fresh: prompt - cacheRead - cacheWrite,
    cacheRead,
    cacheWrite,
    visible: sum(choices.map((choice) => tokensOf(visibleCharacters(choice)))),
    reasoning: sum(choices.map((choice) => tokensOf(choice.reasoning.length))),
  };
}

export const promptTokenCount = ({ fresh, cacheRead, cacheWrite }: TokenCounts): number =>
  fresh + cacheRead + cacheWrite;

const tokensOf = (characters: number) => Math.ceil(characters / charactersPerToken);

function visibleCharacters({ content, refusal, toolCalls }: Choice): number {
  const calls = sum(toolCalls.map((call) => call.name.length + call.arguments.length));
  return (content?.length ?? 0) + (refusal?.length ?? 0) + calls;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
