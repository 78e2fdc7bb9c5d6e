import type { AnswerBlock, AnswerCitation, BlockDelta, BlockEvent } from './answer-types.ts';
import { calledInput } from './called-input.ts';

/** A block with what its deltas said so far. */
interface GrowingBlock {
  start: AnswerBlock;
  said: string[];
  signature: string;
  citations: AnswerCitation[];
}

/** The blocks that the events of a whole stream amount to. */
export function finishedBlocks(events: readonly BlockEvent[]): AnswerBlock[] {
  const blocks: GrowingBlock[] = [];
  for (const event of events) {
    if (event.type === 'content_block_start')
      blocks.push({ start: event.content_block, said: [], signature: '', citations: [] });
    const block = blocks.at(-1);
    if (event.type === 'content_block_delta' && block !== undefined) grow(block, event.delta);
  }
  return blocks.map(finished);
}

function grow(block: GrowingBlock, delta: BlockDelta): void {
  switch (delta.type) {
    case 'text_delta':
      block.said.push(delta.text);
      break;
    case 'thinking_delta':
      block.said.push(delta.thinking);
      break;
    case 'input_json_delta':
      block.said.push(delta.partial_json);
      break;
    case 'signature_delta':
      block.signature += delta.signature;
      break;
    case 'citations_delta':
      block.citations.push(delta.citation);
      break;
    default:
      delta satisfies never;
  }
}

function finished({ start, said, signature, citations }: GrowingBlock): AnswerBlock {
  const text = said.join('');
  switch (start.type) {
    case 'text':
      return { ...start, text, ...(citations.length > 0 && { citations }) };
    case 'thinking':
      return { ...start, thinking: text, signature };
    case 'tool_use':
      return { ...start, input: calledInput(text) };
    case 'redacted_thinking':
      return start;
    default:
      return start satisfies never;
  }
}
