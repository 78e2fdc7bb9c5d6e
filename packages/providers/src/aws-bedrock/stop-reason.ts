import type { ChatRequest, FinishReason } from '@tallyport/wire';
import { type Members, members, text } from '../read.ts';

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

/** The path of the stop text in the answers of models that have it; it is requested by this name. */
export const stopTextPath = '/stop_sequence';

/** The stop text that ended an answer: what the model itself reports, else the request's only one. */
export function reportedStop(answer: Members, { stop }: ChatRequest): string | undefined {
  if (answer.stopReason !== 'stop_sequence') return undefined;
  const reported = text(members(answer.additionalModelResponseFields).stop_sequence);
  const stops = [stop ?? []].flat();
  return reported ?? (stops.length === 1 ? stops[0] : undefined);
}
