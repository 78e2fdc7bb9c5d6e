import type { FinishReason } from '@switchyard/wire';
import { text } from '../read.ts';

const meanings: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  // Only the vendor's own tools pause; what there is so far is an answer.
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

/** An unknown reason is an end like any other. The tool that stands for a schema is no call to the client. */
export function anthropicFinishReason(stopReason: unknown, called: boolean): FinishReason {
  const reason = meanings.get(text(stopReason) ?? '') ?? 'stop';
  if (reason !== 'stop' && reason !== 'tool_calls') return reason;
  return called ? 'tool_calls' : 'stop';
}
