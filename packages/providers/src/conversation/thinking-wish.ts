import type { ChatRequest } from '@switchyard/wire';

export type Effort = NonNullable<ChatRequest['reasoning_effort']>;

/** How much a client wants the model to think. */
export interface ThinkingWish {
  /** As it said, or what its tokens amount to. */
  effort: Effort;
  tokens: number | undefined;
}

/** `undefined` where the client leaves it to the model. */
export function thinkingWish({ reasoning_effort, reasoning }: ChatRequest): ThinkingWish | undefined {
  const tokens = reasoning?.max_tokens ?? undefined;
  const effort = reasoning_effort ?? reasoning?.effort ?? effortWorth(tokens);
  return effort === undefined ? undefined : { effort, tokens };
}

function effortWorth(tokens: number | undefined): Effort | undefined {
  if (tokens === undefined) return undefined;
  if (tokens <= 2_048) return 'low';
  return tokens <= 12_288 ? 'medium' : 'high';
}
