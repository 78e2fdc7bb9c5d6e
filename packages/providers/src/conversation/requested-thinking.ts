import type { ChatRequest } from '@tallyport/wire';

export type Effort = NonNullable<ChatRequest['reasoning_effort']>;

/** How much the client asks the model to think. */
export interface RequestedThinking {
  /** The effort as sent, or the one that corresponds to the token budget. */
  effort: Effort;
  tokens: number | undefined;
}

/** `undefined` if the client leaves it to the model. */
export function requestedThinking({ reasoning_effort, reasoning }: ChatRequest): RequestedThinking | undefined {
  const tokens = reasoning?.max_tokens ?? undefined;
  const effort = reasoning_effort ?? reasoning?.effort ?? effortWorth(tokens) ?? effortSwitched(reasoning?.enabled);
  return effort === undefined ? undefined : { effort, tokens };
}

export const asksForThinking = (request: ChatRequest): boolean =>
  (requestedThinking(request)?.effort ?? 'none') !== 'none';

/** Like other gateways: `reasoning.enabled` means a medium effort. */
function effortSwitched(enabled: unknown): Effort | undefined {
  if (typeof enabled !== 'boolean') return undefined;
  return enabled ? 'medium' : 'none';
}

function effortWorth(tokens: number | undefined): Effort | undefined {
  if (tokens === undefined) return undefined;
  if (tokens <= 2_048) return 'low';
  return tokens <= 12_288 ? 'medium' : 'high';
}
