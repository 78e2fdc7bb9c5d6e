import type { ChatCompletion, ChunkDelta } from '@tallyport/wire';
import type { AnswerBlocks } from '../answer-blocks.ts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { fold } from '../fold/fold.ts';
import { createOneChoice, type OneChoiceContext } from '../one-choice.ts';
import { isMembers, items, type Members, members, text } from '../read.ts';
import { createBedrockBlocks } from './blocks.ts';
import { bedrockThoughts } from './reasoning.ts';
import { bedrockFinishReason, reportedStop } from './stop-reason.ts';
import { bedrockUsage } from './usage.ts';

/**
 * Translates the vendor's answer to the canonical form. It is read like a stream with one event for each part of a block,
 * so that both have the same order. It has no id, time or model.
 */
export function bedrockCompletion(body: unknown, context: OneChoiceContext): ChatCompletion {
  const { providerId } = context;
  const answer = members(members(body).output).message;
  if (!isMembers(body) || !isMembers(answer)) throw unreadableAnswer(providerId, 'The answer has no message.');
  const choice = createOneChoice(context, bedrockThoughts.follow(context));
  const blocks = createBedrockBlocks(context);
  const deltas = items(answer.content)
    .filter(isMembers)
    .flatMap((block, place) => deltasOf(blocks, block, place));
  return fold([
    ...choice.begin(undefined),
    ...deltas.flatMap((delta) => choice.say(delta)),
    ...choice.finish(bedrockFinishReason(body.stopReason, blocks.called()), reportedStop(body, context.call.request)),
    ...choice.close(bedrockUsage(body)),
  ]);
}

function deltasOf(blocks: AnswerBlocks, block: Members, contentBlockIndex: number): (ChunkDelta | undefined)[] {
  const { toolUse } = block;
  return [
    blocks.start({ contentBlockIndex, start: { ...(isMembers(toolUse) && { toolUse }) } }),
    ...piecesOf(block).map((delta) => blocks.delta({ contentBlockIndex, delta })),
    blocks.stop({ contentBlockIndex }),
  ];
}

function piecesOf({ text: said, toolUse, reasoningContent }: Members): Members[] {
  if (isMembers(toolUse)) return [{ toolUse: { input: inputText(toolUse) } }];
  if (!isMembers(reasoningContent)) return [{ text: said }];
  const { reasoningText, redactedContent } = reasoningContent;
  const { text: thought, signature } = members(reasoningText);
  return [{ text: thought }, { signature }, { redactedContent }].map((piece) => ({ reasoningContent: piece }));
}

/** Normally an object. Input that was cut off and is not valid JSON is passed on as text for the client to judge. */
const inputText = ({ input }: Members): string => text(input) ?? JSON.stringify(members(input));
