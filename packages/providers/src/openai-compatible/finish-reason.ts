import type { FinishReason } from '@switchyard/wire';
import type { Quirks } from './quirks.ts';
import { text } from '../read.ts';

/** OpenAI's own reasons, and those whose meaning is the same wherever they were seen. */
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

/** What the vendor's reason means here; `undefined` while the choice goes on. An unknown reason is an end like any other. */
export function openAiFinishReason(value: unknown, quirks: Quirks): FinishReason | 'fault' | undefined {
  const reason = text(value);
  if (reason === undefined) return undefined;
  return lookUp(quirks.finishReasons, reason) ?? lookUp(meanings, reason) ?? 'stop';
}

/** Tool calls were made, whatever the vendor calls it: clients look at the reason before they look for calls. */
export const withToolCalls = (reason: FinishReason, called: boolean): FinishReason =>
  called && (reason === 'stop' || reason === 'function_call') ? 'tool_calls' : reason;

const lookUp = <Value>(table: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
