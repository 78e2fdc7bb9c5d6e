import type { ChatChunk, ChunkChoice, ChunkDelta, FinishReason, Logprobs, Usage } from '@tallyport/wire';
import { functionDelta, functionReason, usesFunctions } from './conversation/function-form.ts';
import { truncatedStream, unreadableAnswer } from './faults/broken-answer.ts';
import type { TranslationContext } from './spec/provider.ts';

/**
 * The chunks of an answer with one choice: role, content, finish reason, usage, each at most once and in this order.
 */
interface OneChoice {
  /** The role is a separate chunk, so that chunks of text do not depend on being the first. */
  begin(model: string | undefined): ChatChunk[];
  say(delta: ChunkDelta | undefined, logprobs?: Logprobs): ChatChunk[];
  /** `stop`: the stop text that ended the answer, if the vendor names it. */
  finish(reason: FinishReason, stop?: string): ChatChunk[];
  finished(): boolean;
  /** The usage, after a finished answer. Throws if the answer is not finished. */
  close(usage: Usage | undefined): ChatChunk[];
}

export interface OneChoiceContext extends TranslationContext {
  providerId: string;
}

/** Follows what an answer says, to remember parts of it at its end. */
export interface AnswerFollower {
  add(delta: ChunkDelta): void;
  keep(): void;
}

export function createOneChoice(context: OneChoiceContext, follower?: AnswerFollower): OneChoice {
  const { providerId, completionId, created, offer, call } = context;
  const inFunctionForm = usesFunctions(call.request);
  let head: Pick<ChatChunk, 'id' | 'object' | 'created' | 'model'> | undefined;
  let finished = false;
  let closed = false;

  function begin(model: string | undefined): ChatChunk[] {
    if (head !== undefined) return [];
    head = { id: completionId, object: 'chat.completion.chunk', created, model: model ?? offer.modelName };
    return [{ ...head, choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }];
  }

  function write(
    delta: ChunkDelta,
    rest: Pick<ChunkChoice, 'finish_reason' | 'logprobs' | 'stop_reason'>,
  ): ChatChunk[] {
    const opening = begin(undefined);
    if (head === undefined) return opening;
    return [...opening, { ...head, choices: [{ index: 0, delta, ...rest }] }];
  }

  return {
    begin,
    say(rawDelta, logprobs) {
      if (rawDelta !== undefined) follower?.add(rawDelta);
      const delta = rawDelta !== undefined && inFunctionForm ? functionDelta(rawDelta) : rawDelta;
      return delta === undefined ? [] : write(delta, { finish_reason: null, ...(logprobs && { logprobs }) });
    },
    finish(reason, stop) {
      if (finished) return [];
      finished = true;
      follower?.keep();
      const finishReason = inFunctionForm ? functionReason(reason) : reason;
      return write({}, { finish_reason: finishReason, ...(stop !== undefined && { stop_reason: stop }) });
    },
    finished: () => finished,
    close(usage) {
      if (closed) return [];
      if (head === undefined) throw unreadableAnswer(providerId, 'The stream ended without an answer.');
      if (!finished) throw truncatedStream(providerId);
      closed = true;
      return usage === undefined ? [] : [{ ...head, choices: [], usage }];
    },
  };
}
