import type { ChatChunk, Usage } from '@tallyport/wire';
import { truncatedStream, unreadableAnswer } from '../faults/broken-answer.ts';
import { createOneChoice, type OneChoiceContext } from '../one-choice.ts';
import { isMembers, items, type Members, members, text } from '../read.ts';
import { createAnswerParts } from './answer-parts.ts';
import { groundingAnnotations } from './citations.ts';
import { geminiFault } from './error.ts';
import { geminiFinishReason } from './finish-reason.ts';
import { groundingsIn } from './groundings.ts';
import { createTextSignatures } from './kept-signatures.ts';
import { logprobsIn } from './logprobs.ts';
import { geminiUsage } from './usage.ts';

/** An answer as it grows. The vendor sends whole answers and stream chunks in the same form. */
interface GeminiAnswer {
  add(body: Members): ChatChunk[];
  /**
   * The finish reason and the usage, after the last chunk. The vendor may send the reason several times; only the last
   * counts.
   */
  end(): ChatChunk[];
  finished(): boolean;
  usage(): Usage | undefined;
}

export function createGeminiAnswer(context: OneChoiceContext): GeminiAnswer {
  const { providerId } = context;
  const modelName = context.offer.modelName;
  const choice = createOneChoice(context, createTextSignatures(context));
  const parts = createAnswerParts(context);
  let rawUsage: Members = {};
  let reason: string | undefined;
  /** Sent with the last chunks; the last one is the most complete. */
  let sources: Members = {};
  let refusal: string | undefined;

  function addCandidate(candidate: Members, model: string | undefined): ChatChunk[] {
    const opening = choice.begin(model);
    const deltas = parts.read(candidate.content);
    const logprobs = logprobsIn(candidate);
    reason = text(candidate.finishReason) ?? reason;
    if (isMembers(candidate.groundingMetadata) || isMembers(candidate.citationMetadata)) sources = candidate;
    return [
      ...opening,
      ...deltas.flatMap((delta) => choice.say(delta)),
      ...(logprobs === undefined ? [] : choice.say({}, logprobs)),
    ];
  }

  /** The vendor blocked the prompt. */
  function block({ blockReason, blockReasonMessage }: Members, model: string | undefined): ChatChunk[] {
    const why = text(blockReason);
    if (why === undefined) return [];
    reason = 'SAFETY';
    refusal = text(blockReasonMessage) ?? `The request was blocked: ${why}.`;
    return choice.begin(model);
  }

  function finish(): ChatChunk[] {
    if (choice.finished()) return [];
    if (reason === undefined) throw truncatedStream(providerId);
    // A call cut at the token limit is left out. Anywhere else an incomplete call is a fault.
    if (parts.unfinished() && reason !== 'MAX_TOKENS')
      throw unreadableAnswer(providerId, 'The answer ended within the arguments of a call.');
    const finishReason = geminiFinishReason(reason, { calls: parts.called(), anything: parts.hasContent() });
    if (finishReason === 'fault') throw unreadableAnswer(providerId, `The answer ended with ${reason} and is empty.`);
    const annotations = groundingAnnotations(sources, parts.text());
    return [
      ...(annotations.length > 0 ? choice.say({ annotations }) : []),
      ...(refusal === undefined ? [] : choice.say({ refusal })),
      ...choice.finish(finishReason),
    ];
  }

  const usage = (): Usage | undefined => geminiUsage(rawUsage, groundingsIn(sources, modelName));

  return {
    add(body) {
      const fault = geminiFault(body, providerId);
      if (fault !== undefined) throw fault;
      if (isMembers(body.usageMetadata)) rawUsage = { ...rawUsage, ...body.usageMetadata };
      const model = text(body.modelVersion);
      const [candidate] = items(body.candidates);
      return isMembers(candidate) ? addCandidate(candidate, model) : block(members(body.promptFeedback), model);
    },
    end: () => [...finish(), ...choice.close(usage())],
    finished: () => reason !== undefined,
    usage,
  };
}
