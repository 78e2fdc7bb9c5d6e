import type { AnsweredModel } from '../answered-model.ts';
import type { ChatChunk, ChatCompletion, FinishReason } from '@tallyport/wire';
import type { TextChoice, TextCompletion } from './answer-types.ts';

/** What the answer to one request is called. */
export interface CompletionIdentity {
  id: string;
  created: number;
  modelOf: AnsweredModel;
}

export const toTextCompletion = (
  { choices, usage, model }: ChatCompletion,
  identity: CompletionIdentity,
): TextCompletion =>
  textCompletion(
    { ...identity, model },
    choices.map(({ index, message, finish_reason: reason }) =>
      textChoice(index, message.content || (message.refusal ?? ''), reason),
    ),
    usage,
  );

/** A piece of a streamed answer; `undefined` if nothing in it is for this API. */
export function toTextChunk(
  { choices, usage, model }: ChatChunk,
  identity: CompletionIdentity,
): TextCompletion | undefined {
  const texts = choices
    .map(({ index, delta, finish_reason: reason }) => textChoice(index, delta.content || (delta.refusal ?? ''), reason))
    .filter(({ text, finish_reason: reason }) => text !== '' || reason !== null);
  return texts.length === 0 && usage == null ? undefined : textCompletion({ ...identity, model }, texts, usage);
}

const textCompletion = (
  { id, created, modelOf, model }: CompletionIdentity & Pick<ChatChunk, 'model'>,
  choices: TextChoice[],
  usage: TextCompletion['usage'],
): TextCompletion => ({
  id,
  object: 'text_completion',
  created,
  model: modelOf(model),
  choices,
  ...(usage !== undefined && { usage }),
});

const textChoice = (index: number, text: string, reason: FinishReason | null): TextChoice => ({
  index,
  text,
  logprobs: null,
  finish_reason: reason === 'tool_calls' || reason === 'function_call' ? 'stop' : reason,
});
