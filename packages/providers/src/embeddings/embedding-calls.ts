import type { EmbeddingCall, EmbeddingInput, EmbeddingLimits } from '../spec/embedding-call.ts';

/** Splits a request into calls within a vendor's limits. Their inputs follow each other in the order of the request. */
export function embeddingCalls(call: EmbeddingCall, limits: EmbeddingLimits): EmbeddingCall[] {
  const parts: EmbeddingInput[][] = [];
  let size = 0;
  for (const input of call.inputs) {
    const last = parts.at(-1);
    if (last === undefined || last.length >= limits.inputs || size + input.length > limits.tokens) {
      parts.push([input]);
      size = 0;
    } else last.push(input);
    // A token has at least one character, so the length of a text is an upper bound.
    size += input.length;
  }
  return parts.map((inputs) => ({ ...call, inputs }));
}
