import type { FinishReason } from '@tallyport/wire';
import { text } from '../read.ts';

const meanings: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  // Only the vendor's own tools pause; the content so far is a complete answer.
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

/** Unknown reasons count as a normal end. A call of the answer tool is not a call for the client. */
export function anthropicFinishReason(stopReason: unknown, called: boolean): FinishReason {
  const reason = meanings.get(text(stopReason) ?? '') ?? 'stop';
  if (reason !== 'stop' && reason !== 'tool_calls') return reason;
  return called ? 'tool_calls' : 'stop';
}
