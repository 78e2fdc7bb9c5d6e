import type { Annotation, OrderedPiece } from './answer-parts.ts';
import type { ChunkDelta, ToolCallDelta } from './chunk.ts';
import type { CompletionMessage, ToolCall } from './completion.ts';

/**
 * The pieces of a whole message as the deltas of a stream would have them. `unordered` are deltas of members that have no
 * order, such as a refusal or images: they follow what was said, before the calls at the end.
 */
export function deltasInOrder(message: CompletionMessage, unordered: readonly ChunkDelta[] = []): ChunkDelta[] {
  const deltas = orderedDeltas(message);
  const lastSaid = deltas.findLastIndex(({ tool_calls: calls }) => calls === undefined);
  return deltas.toSpliced(lastSaid + 1, 0, ...unordered);
}

function orderedDeltas(message: CompletionMessage): ChunkDelta[] {
  const { content_order: order } = message;
  const cut = createCutter(message);
  const deltas = (Array.isArray(order) ? order : []).flatMap((piece: OrderedPiece) => cut.piece(piece));
  return deltas.length > 0 && cut.isAtEnd() ? deltas : usualDeltas(message);
}

function usualDeltas({ content, annotations, reasoning_content, reasoning_details, tool_calls }: CompletionMessage) {
  return [
    ...thinkingDelta(reasoning_content ?? '', listOf(reasoning_details)),
    ...textDelta(content ?? '', annotations ?? []),
    ...(tool_calls ?? []).map((call, index): ChunkDelta => ({ tool_calls: [wholeCall(call, index)] })),
  ];
}

/** Cuts the texts and lists of a message where its pieces end. */
function createCutter(message: CompletionMessage) {
  const { reasoning_content: thought = '', tool_calls: calls = [] } = message;
  const text = message.content ?? '';
  const annotations = message.annotations ?? [];
  const details = listOf(message.reasoning_details);
  // A client may not want to see the thinking.
  const isHidden = thought === '' && details.length === 0;
  const at = { text: 0, annotations: 0, reasoning: 0, details: 0 };
  const called = new Set<number>();

  function reasoningPiece({ length, details: count }: OrderedPiece & { type: 'reasoning' }): ChunkDelta[] {
    if (isHidden) return [];
    const from = { ...at };
    at.reasoning += length;
    at.details += count;
    return thinkingDelta(thought.slice(from.reasoning, at.reasoning), details.slice(from.details, at.details));
  }

  function textPiece({ length, annotations: count }: OrderedPiece & { type: 'text' }): ChunkDelta[] {
    const from = { ...at };
    at.text += length;
    at.annotations += count;
    return textDelta(text.slice(from.text, at.text), annotations.slice(from.annotations, at.annotations));
  }

  function callPiece(index: number): ChunkDelta[] {
    const call = calls[index];
    called.add(index);
    return call === undefined ? [] : [{ tool_calls: [wholeCall(call, index)] }];
  }

  return {
    piece(piece: OrderedPiece): ChunkDelta[] {
      switch (piece.type) {
        case 'reasoning':
          return reasoningPiece(piece);
        case 'text':
          return textPiece(piece);
        case 'tool_call':
          return callPiece(piece.index);
        default:
          return piece satisfies never;
      }
    },
    /** False if the message was changed since, for example by a rule that redacts texts. */
    isAtEnd: (): boolean =>
      at.text === text.length &&
      at.annotations === annotations.length &&
      at.reasoning === thought.length &&
      at.details === details.length &&
      called.size === calls.length,
  };
}

const thinkingDelta = (thought: string, details: readonly unknown[]): ChunkDelta[] =>
  thought === '' && details.length === 0
    ? []
    : [
        {
          ...(thought !== '' && { reasoning_content: thought }),
          ...(details.length > 0 && { reasoning_details: details }),
        },
      ];

const textDelta = (content: string, annotations: Annotation[]): ChunkDelta[] =>
  content === '' && annotations.length === 0
    ? []
    : [{ ...(content !== '' && { content }), ...(annotations.length > 0 && { annotations }) }];

const wholeCall = (call: ToolCall, index: number): ToolCallDelta => ({ ...call, index });

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
