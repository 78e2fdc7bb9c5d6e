import type { ChunkDelta } from '@tallyport/wire';
import type { AnswerBlocks } from '../answer-blocks.ts';
import { generatedCallId } from '../generated-call-id.ts';
import type { TranslationContext } from '../spec/provider.ts';
import { isMembers, type Members, members, finiteNumber, text } from '../read.ts';
import { ANSWER_TOOL, answerFormOf } from './answer-form.ts';
import { thoughtDelta } from './reasoning.ts';

/** A call while it streams. The vendor numbers all blocks together; clients expect calls numbered separately. */
type Call =
  | { kind: 'call'; index: number; said: boolean }
  /** A call of the answer tool: its input is the answer. */
  | { kind: 'answer'; said: boolean };

export function createBedrockBlocks({ call, offer, completionId }: TranslationContext): AnswerBlocks {
  const wrapped = answerFormOf(call.request, offer).kind === 'tool';
  const open = new Map<number, Call>();
  let calls = 0;
  let begun = false;

  function opened({ toolUseId, name }: Members, place: number): ChunkDelta | undefined {
    if (wrapped && name === ANSWER_TOOL) {
      open.set(place, { kind: 'answer', said: false });
      return undefined;
    }
    const index = calls;
    calls += 1;
    open.set(place, { kind: 'call', index, said: false });
    const id = text(toolUseId) ?? generatedCallId(completionId, index);
    return { tool_calls: [{ index, id, type: 'function', function: { name: text(name) ?? '', arguments: '' } }] };
  }

  return {
    start(event) {
      begun = true;
      const { toolUse } = members(event.start);
      return isMembers(toolUse) ? opened(toolUse, placeOf(event)) : undefined;
    },
    /**
     * Text deltas must not change any state, because text frames may be forwarded unparsed
     * (`textDeltasAreIndependent`).
     */
    delta(event) {
      begun = true;
      const { text: said, toolUse, reasoningContent } = members(event.delta);
      const content = text(said);
      if (content !== undefined) return { content };
      const index = placeOf(event);
      const piece = text(members(toolUse).input);
      if (piece !== undefined) return input(open.get(index), piece);
      return isMembers(reasoningContent) ? thoughtDelta(reasoningContent, { offer, index }) : undefined;
    },
    stop(event) {
      const place = placeOf(event);
      const ended = open.get(place);
      open.delete(place);
      // A call without input gets `{}`, so that clients always parse valid JSON.
      return ended?.said === false ? input(ended, '{}') : undefined;
    },
    called: () => calls > 0,
    begun: () => begun,
  };
}

const placeOf = (event: Members): number => finiteNumber(event.contentBlockIndex) ?? 0;

function input(call: Call | undefined, piece: string): ChunkDelta | undefined {
  if (call === undefined) return undefined;
  call.said = true;
  if (call.kind === 'answer') return { content: piece };
  return { tool_calls: [{ index: call.index, function: { arguments: piece } }] };
}
