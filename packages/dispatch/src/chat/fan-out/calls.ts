import type { ChatCall } from '@switchyard/providers';
import type { ChatRequest } from '@switchyard/wire';

/** One of several calls that together bring what was asked for. */
export interface PartialCall {
  chat: ChatCall;
  /** How many choices stand before this call's own. */
  offset: number;
}

/** A call as the calls it takes at a provider that makes so many choices in one: the very same call where one will do. */
export function partialCalls(chat: ChatCall, maxChoices: number): PartialCall[] {
  const wanted = chat.request.n ?? 1;
  if (wanted <= maxChoices) return [{ chat, offset: 0 }];
  return Array.from({ length: Math.ceil(wanted / maxChoices) }, (_, index) => {
    const offset = index * maxChoices;
    const request = asking(chat.request, { index, choices: Math.min(maxChoices, wanted - offset) });
    return { chat: { ...chat, request }, offset };
  });
}

/** The same seed would give the same choice again and again. */
function asking(request: ChatRequest, { index, choices }: { index: number; choices: number }): ChatRequest {
  const { n: _all, ...rest } = request;
  const seed = typeof request.seed === 'number' ? { seed: request.seed + index } : {};
  return { ...rest, ...seed, ...(choices > 1 && { n: choices }) };
}
