import type { FinishReason } from '@tallyport/wire';

const meanings: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
  ['IMAGE_RECITATION', 'content_filter'],
  ['MODEL_ARMOR', 'content_filter'],
]);

/** `fault` if the model failed without content. After content, an unknown reason counts as a normal end. */
export function geminiFinishReason(
  reason: string,
  said: { calls: boolean; anything: boolean },
): FinishReason | 'fault' {
  const meaning = meanings.get(reason);
  if (meaning === undefined && !said.anything) return 'fault';
  if (meaning !== undefined && meaning !== 'stop') return meaning;
  return said.calls ? 'tool_calls' : 'stop';
}
