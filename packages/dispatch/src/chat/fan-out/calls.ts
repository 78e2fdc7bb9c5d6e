import type { ChatCall } from '@tallyport/providers';
import type { ChatRequest } from '@tallyport/wire';

/** One of several calls that together make the requested choices. */
export interface PartialCall {
  chat: ChatCall;
  /** The number of choices made by the calls before it. */
  offset: number;
}

/** Splits a call for a provider that makes at most `maxChoices` per call. Returns the call itself if one is enough. */
export function partialCalls(chat: ChatCall, maxChoices: number): PartialCall[] {
  const wanted = chat.request.n ?? 1;
  if (wanted <= maxChoices) return [{ chat, offset: 0 }];
  return Array.from({ length: Math.ceil(wanted / maxChoices) }, (_, index) => {
    const offset = index * maxChoices;
    const request = asking(chat.request, { index, choices: Math.min(maxChoices, wanted - offset) });
    return { chat: { ...chat, request }, offset };
  });
}

/** Every call gets its own seed; with the same seed all would make the same choices. */
function asking(request: ChatRequest, { index, choices }: { index: number; choices: number }): ChatRequest {
  const { n: _all, ...rest } = request;
  const seed = typeof request.seed === 'number' ? { seed: request.seed + index } : {};
  return { ...rest, ...seed, ...(choices > 1 && { n: choices }) };
}
