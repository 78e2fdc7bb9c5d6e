import type { ChatCompletion, ChunkDelta } from '@tallyport/wire';
import type { AnswerBlocks } from '../answer-blocks.ts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { fold } from '../fold/fold.ts';
import { createOneChoice, type OneChoiceContext } from '../one-choice.ts';
import { isMembers, items, type Members, members, text } from '../read.ts';
import { createAnthropicBlocks } from './blocks.ts';
import { isError, anthropicFault } from './error.ts';
import { anthropicFinishReason } from './stop-reason.ts';
import { claudeThoughts } from './thinking.ts';
import { anthropicUsage } from './usage.ts';

/** A whole answer is read like a stream with one event for each part of a block, so that both have the same order. */
export function anthropicCompletion(body: unknown, context: OneChoiceContext): ChatCompletion {
  const { providerId } = context;
  if (!isMembers(body)) throw unreadableAnswer(providerId, 'The answer is not a JSON object.');
  if (isError(body)) throw anthropicFault(body, providerId);
  if (!Array.isArray(body.content)) throw unreadableAnswer(providerId, 'The answer has no content.');
  const choice = createOneChoice(context, claudeThoughts.follow(context));
  const blocks = createAnthropicBlocks(context);
  const refusal = refusalIn(body);
  const deltas = items(body.content)
    .filter(isMembers)
    .flatMap((block, index) => deltasOf(blocks, block, index));
  return fold([
    ...choice.begin(text(body.model)),
    ...deltas.flatMap((delta) => choice.say(delta)),
    ...choice.say(refusal === undefined ? undefined : { refusal }),
    ...choice.finish(anthropicFinishReason(body.stop_reason, blocks.called()), text(body.stop_sequence)),
    ...choice.close(anthropicUsage(members(body.usage))),
  ]);
}

const deltasOf = (blocks: AnswerBlocks, block: Members, index: number): (ChunkDelta | undefined)[] => [
  blocks.start({ index, content_block: openingOf(block) }),
  ...piecesOf(block).map((delta) => blocks.delta({ index, delta })),
  blocks.stop({ index }),
];

/** Only blocks that never arrive in pieces have their content at the start. */
const openingOf = ({ type, id, name, data }: Members): Members => ({ type, id, name, data });

function piecesOf(block: Members): Members[] {
  switch (block.type) {
    case 'text':
      return [
        { type: 'text_delta', text: block.text },
        ...items(block.citations).map((citation) => ({ type: 'citations_delta', citation })),
      ];
    case 'thinking':
      return [
        { type: 'thinking_delta', thinking: block.thinking },
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'tool_use':
      return [{ type: 'input_json_delta', partial_json: inputText(block) }];
    default:
      return [];
  }
}

/** Normally an object. Input that was cut off and is not valid JSON is passed on as text for the client to judge. */
const inputText = ({ input }: Members): string => text(input) ?? JSON.stringify(members(input));

/** The vendor's explanation of a refusal, if it gives one. */
export const refusalIn = ({ stop_details: details }: Members): string | undefined => text(members(details).explanation);
