import type { FinishReason } from '@switchyard/wire';
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

/** Calls are what clients look for after the reason: a `stop` with calls has them, and `tool_use` without any has not. */
export function bedrockFinishReason(stopReason: unknown, called: boolean): FinishReason {
  const told = text(stopReason) ?? '';
  const reason = Object.hasOwn(meanings, told) ? (meanings[told] ?? 'stop') : 'stop';
  if (reason === 'stop' || reason === 'tool_calls') return called ? 'tool_calls' : 'stop';
  return reason;
}
