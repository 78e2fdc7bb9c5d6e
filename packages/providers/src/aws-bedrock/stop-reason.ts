import type { FinishReason } from '@tallyport/wire';
import { text } from '../read.ts';

const meanings: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
  malformed_model_output: 'stop',
  malformed_tool_use: 'stop',
};

/**
 * The reason follows the calls, because clients read it first: `stop` with calls becomes `tool_calls`, and `tool_use`
 * without calls becomes `stop`.
 */
export function bedrockFinishReason(stopReason: unknown, called: boolean): FinishReason {
  const vendorReason = text(stopReason) ?? '';
  const reason = Object.hasOwn(meanings, vendorReason) ? (meanings[vendorReason] ?? 'stop') : 'stop';
  if (reason === 'stop' || reason === 'tool_calls') return called ? 'tool_calls' : 'stop';
  return reason;
}
