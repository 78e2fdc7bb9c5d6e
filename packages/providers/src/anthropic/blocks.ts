import type { ChunkDelta } from '@tallyport/wire';
import type { AnswerBlocks } from '../answer-blocks.ts';
import { generatedCallId } from '../generated-call-id.ts';
import type { OneChoiceContext } from '../one-choice.ts';
import { isMembers, items, type Members, members, finiteNumber, text } from '../read.ts';
import { answerToolName } from './answer-form.ts';
import { annotationOf } from './citations.ts';
import { claudeDetails } from './details.ts';

/**
 * A block of the answer while it streams. The vendor numbers all blocks together; clients expect calls numbered
 * separately.
 */
type Block =
  | { kind: 'call'; index: number; id: string; hasInput: boolean }
  /** A call of the answer tool: its input is the answer. */
  | { kind: 'answer'; hasInput: boolean }
  | { kind: 'thought'; index: number }
  | { kind: 'other' };

export function createAnthropicBlocks({ call, offer, completionId }: OneChoiceContext): AnswerBlocks {
  const answerName = answerToolName(call.request, offer.modelName);
  const blocks = new Map<number, Block>();
  let calls = 0;
  let thoughts = 0;

  function open(source: Members): Block {
    switch (source.type) {
      case 'tool_use':
        return source.name === answerName ? { kind: 'answer', hasInput: false } : openCall();
      case 'thinking':
      case 'redacted_thinking':
        thoughts += 1;
        return { kind: 'thought', index: thoughts - 1 };
      default:
        return { kind: 'other' };
    }
  }

  function openCall(): Block {
    calls += 1;
    return { kind: 'call', index: calls - 1, id: generatedCallId(completionId, calls - 1), hasInput: false };
  }

  const blockOf = (event: Members): Block => blocks.get(finiteNumber(event.index) ?? -1) ?? { kind: 'other' };

  return {
    start(event) {
      const source = members(event.content_block);
      const block = open(source);
      blocks.set(finiteNumber(event.index) ?? -1, block);
      return opening(block, source);
    },
    delta: (event) => progress(blockOf(event), members(event.delta)),
    stop(event) {
      const block = blockOf(event);
      return (block.kind === 'call' || block.kind === 'answer') && !block.hasInput ? input(block, '{}') : undefined;
    },
    called: () => calls > 0,
    begun: () => blocks.size > 0,
  };
}

function opening(block: Block, source: Members): ChunkDelta | undefined {
  if (block.kind === 'call') return callOpening(block, source);
  if (block.kind === 'answer') return undefined;
  if (block.kind === 'thought') return thoughtOpening(block.index, source);
  const hasInput = text(source.text);
  return source.type === 'text' && hasInput !== undefined ? { content: hasInput } : undefined;
}

function callOpening(block: Block & { kind: 'call' }, { id, name, input: whole }: Members): ChunkDelta {
  const given = isMembers(whole) && Object.keys(whole).length > 0 ? JSON.stringify(whole) : '';
  block.hasInput = given !== '';
  return {
    tool_calls: [
      {
        index: block.index,
        id: text(id) ?? block.id,
        type: 'function',
        function: { name: text(name) ?? '', arguments: given },
      },
    ],
  };
}

function thoughtOpening(index: number, { type, data, thinking }: Members): ChunkDelta | undefined {
  if (type === 'redacted_thinking') return { reasoning_details: [claudeDetails.encrypted(index, text(data) ?? '')] };
  const hasInput = text(thinking);
  return hasInput === undefined ? undefined : thoughtPiece(index, hasInput);
}

/**
 * Text deltas must not change any state, because text frames may be forwarded unparsed (`textDeltasAreIndependent`).
 */
function progress(block: Block, delta: Members): ChunkDelta | undefined {
  switch (delta.type) {
    case 'text_delta':
      return content(text(delta.text));
    case 'input_json_delta': {
      const piece = text(delta.partial_json);
      return piece === undefined ? undefined : input(block, piece);
    }
    case 'thinking_delta': {
      const hasInput = text(delta.thinking);
      return hasInput === undefined || block.kind !== 'thought' ? undefined : thoughtPiece(block.index, hasInput);
    }
    case 'signature_delta': {
      const signature = text(delta.signature);
      if (signature === undefined || block.kind !== 'thought') return undefined;
      return { reasoning_details: [claudeDetails.text(block.index, { signature })] };
    }
    case 'citations_delta':
      return citations([delta.citation]);
    default:
      return undefined;
  }
}

function input(block: Block, piece: string): ChunkDelta | undefined {
  if (block.kind !== 'call' && block.kind !== 'answer') return undefined;
  block.hasInput = true;
  if (block.kind === 'answer') return { content: piece };
  return { tool_calls: [{ index: block.index, function: { arguments: piece } }] };
}

const thoughtPiece = (index: number, hasInput: string): ChunkDelta => ({
  reasoning_content: hasInput,
  reasoning_details: [claudeDetails.text(index, { text: hasInput })],
});

const content = (hasInput: string | undefined): ChunkDelta | undefined =>
  hasInput === undefined ? undefined : { content: hasInput };

function citations(deltas: readonly unknown[]): ChunkDelta | undefined {
  const annotations = items(deltas).flatMap((citation) => annotationOf(members(citation)) ?? []);
  return annotations.length === 0 ? undefined : { annotations };
}
