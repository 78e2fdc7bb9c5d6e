import type { Annotation, ChatCompletion, CompletionMessage, FunctionToolCall } from '@tallyport/wire';
import type { AnswerBlock, AnswerCitation, AnsweredText, AnswerToolUse, MessagesAnswer } from './answer-types.ts';
import { toMessagesUsage } from './message-usage.ts';
import { toAnswerEnd } from './stop-reason.ts';
import { toThoughtBlocks } from './thoughts.ts';
import { parsedObject } from '../plain-object.ts';

/** What the answer to one request is called. */
export interface AnswerIdentity {
  id: string;
  /** As the client named it. */
  model: string;
}

/** Images and audio have no block in this API, and no request of it asks for any. */
export function toMessagesAnswer(completion: ChatCompletion, identity: AnswerIdentity): MessagesAnswer {
  const choice = completion.choices[0];
  const message = choice?.message;
  const content = message === undefined ? [] : contentOf(message);
  const end = toAnswerEnd({
    finishReason: choice?.finish_reason ?? null,
    called: content.some(({ type }) => type === 'tool_use'),
    refusal: message?.refusal ?? '',
  });
  return {
    ...emptyAnswer(identity),
    content,
    ...end,
    usage: toMessagesUsage(completion.usage, completion.service_tier),
  };
}

export const emptyAnswer = ({ id, model }: AnswerIdentity): MessagesAnswer => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  container: null,
  diagnostics: null,
  usage: toMessagesUsage(undefined, undefined),
});

function contentOf(message: CompletionMessage): AnswerBlock[] {
  const { content, refusal, reasoning_content, reasoning_details, annotations, tool_calls } = message;
  const blocks: AnswerBlock[] = [
    ...toThoughtBlocks(reasoning_content ?? '', reasoning_details),
    ...(content ? [textAnswer(content, annotations)] : []),
    ...(tool_calls ?? []).filter((call) => call.type === 'function').map(toToolUse),
  ];
  // A refusal is all that was said: a client that does not know `stop_details` shows it all the same.
  return blocks.length === 0 && refusal ? [textAnswer(refusal)] : blocks;
}

const textAnswer = (text: string, annotations: readonly Annotation[] = []): AnsweredText => ({
  type: 'text',
  text,
  ...(annotations.length > 0 && { citations: annotations.map(toCitation) }),
});

export const toCitation = ({ url_citation: { title, url } }: Annotation): AnswerCitation => ({
  type: 'web_search_result_location',
  cited_text: '',
  encrypted_index: '',
  title,
  url,
});

const toToolUse = ({ id, function: { name, arguments: input } }: FunctionToolCall): AnswerToolUse => ({
  ...toolUseStart(id, name),
  input: parsedObject(input),
});

/** A call before its input is known. */
export const toolUseStart = (id: string, name: string): AnswerToolUse => ({
  type: 'tool_use',
  id,
  name,
  input: {},
  caller: { type: 'direct' },
});
