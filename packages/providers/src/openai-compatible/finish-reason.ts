import type { FinishReason } from '@tallyport/wire';
import type { Quirks } from './quirks.ts';
import { text } from '../read.ts';

/** OpenAI's reasons, and those of other vendors with an unambiguous meaning. */
const meanings: Readonly<Record<string, FinishReason | 'fault'>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
  function_call: 'function_call',
  eos: 'stop',
  max_tokens: 'length',
  error: 'fault',
};

/** The canonical reason; `undefined` while the choice continues. An unknown reason counts as a normal end. */
export function openAiFinishReason(value: unknown, quirks: Quirks): FinishReason | 'fault' | undefined {
  const reason = text(value);
  if (reason === undefined) return undefined;
  return lookUp(quirks.finishReasons, reason) ?? lookUp(meanings, reason) ?? 'stop';
}

/**
 * `tool_calls` if calls were made, even if the vendor reports another reason: clients read the reason before they look
 * for calls.
 */
export const withToolCalls = (reason: FinishReason, called: boolean): FinishReason =>
  called && (reason === 'stop' || reason === 'function_call') ? 'tool_calls' : reason;

const lookUp = <Value>(table: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
