import { type ChatCompletion, type CompletionMessage, deltasInOrder } from '@tallyport/wire';
import type { AnsweredModel } from '../answered-model.ts';
import { piecesOf } from './answer-pieces.ts';
import type { AnswerBlock, MessagesAnswer } from './answer-types.ts';
import { createBlockWriter } from './block-writer.ts';
import { finishedBlocks } from './finished-blocks.ts';
import { toMessagesUsage } from './message-usage.ts';
import { stopTextOf, toAnswerEnd } from './stop-reason.ts';

/** What the answer to one request is called. */
export interface AnswerIdentity {
  id: string;
  modelOf: AnsweredModel;
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
    stopText: choice && stopTextOf(choice),
  });
  return {
    ...emptyAnswer(identity, completion.model),
    content,
    ...end,
    usage: toMessagesUsage(completion.usage, completion.service_tier),
  };
}

export const emptyAnswer = ({ id, modelOf }: AnswerIdentity, served: string | undefined): MessagesAnswer => ({
  id,
  type: 'message',
  role: 'assistant',
  model: modelOf(served),
  content: [],
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  container: null,
  diagnostics: null,
  usage: toMessagesUsage(undefined, undefined),
});

/** What the events of a stream amount to, so that both have the same blocks in the same order. */
function contentOf(message: CompletionMessage): AnswerBlock[] {
  const blocks = createBlockWriter();
  for (const piece of deltasInOrder(message).flatMap(piecesOf)) blocks.write(piece);
  // A refusal is all that was said: a client that does not know `stop_details` shows it all the same.
  if (!blocks.begun() && message.refusal) blocks.write({ kind: 'text', text: message.refusal });
  blocks.close();
  return finishedBlocks(blocks.take());
}
