import { argumentsIn, type Choice, type ChoiceToolCall, spokenParts } from '@tallyport/sandbox';
import { signThought } from '../thought-signature.ts';
import type { AnthropicUse } from './usage.ts';

/** A complete answer, before it is written as JSON or as a stream. */
export interface AnthropicAnswer {
  readonly id: string;
  readonly model: string;
  readonly choice: Choice;
  readonly use: AnthropicUse;
}

function blocksOf({ choice, use: { summary } }: AnthropicAnswer) {
  const { reasoning, citations } = choice;
  return [
    ...(summary === undefined ? [] : [{ type: 'compaction', content: summary, encrypted_content: null }]),
    ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning, signature: signThought(reasoning) }]),
    ...spokenParts(choice).map((part) =>
      part.kind === 'text' ? textBlock(part.text, citations) : callBlock(part.call),
    ),
  ];
}

const textBlock = (text: string, citations: Choice['citations']) => ({
  type: 'text',
  text,
  ...(citations.length > 0 && { citations: citations.map(citationOf) }),
});

const callBlock = (call: ChoiceToolCall) => ({
  type: 'tool_use',
  id: toolIdOf(call.id),
  name: call.name,
  input: argumentsIn(call),
});

export const citationOf = ({ url, title, quote }: Choice['citations'][number]) => ({
  type: 'web_search_result_location',
  cited_text: quote,
  url,
  title,
  encrypted_index: 'c2ltdWxhdGVk',
});

export const toolIdOf = (id: string): string => id.replace(/^call_/, 'toolu_');

const stopReasons = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use', refusal: 'refusal' } as const;

export const endOf = ({ choice }: AnthropicAnswer) => ({
  stop_reason: choice.stoppedBy === null ? stopReasons[choice.finishReason] : 'stop_sequence',
  stop_sequence: choice.stoppedBy,
  ...(choice.refusal !== null && {
    stop_details: { type: 'refusal', category: null, explanation: choice.refusal },
  }),
});

export const messageOf = (script: AnthropicAnswer) => ({
  id: script.id,
  type: 'message',
  role: 'assistant',
  model: script.model,
  content: blocksOf(script),
  ...endOf(script),
  usage: script.use.usage,
});
