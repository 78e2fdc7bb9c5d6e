import type { AnswerBlock, AnswerCitation, AnswerToolUse, BlockDelta } from './answer-types.ts';
import { createObjectEnd } from '../object-end.ts';

/** Something that belongs into one block of an answer. */
export type BlockPiece =
  | { kind: 'text'; text: string }
  | { kind: 'citation'; citation: AnswerCitation }
  /** Without an index: thinking that no signature follows, or one that follows without saying to what it belongs. */
  | { kind: 'thought'; index: number | undefined; text: string; signature: string }
  | { kind: 'redacted'; data: string }
  | { kind: 'call'; index: number; id: string | undefined; name: string | undefined; input: string };

/** A block that is being written. */
export interface OpenBlock {
  /** As it is announced, without content. */
  start: AnswerBlock;
  /** The call that it is. */
  call?: number;
  /** What a piece adds to it; `undefined` if the piece belongs to another block. */
  add(piece: BlockPiece): BlockDelta[] | undefined;
  /** It can end here; otherwise more has to follow. */
  complete(): boolean;
  /** What it says at its end. */
  last(): BlockDelta[];
}

/** The block that begins with a piece; a citation begins none. */
export function blockFor(piece: BlockPiece): OpenBlock | undefined {
  switch (piece.kind) {
    case 'text':
      return openText();
    case 'thought':
      return openThought(piece.index);
    case 'redacted':
      return openRedacted(piece.data);
    case 'call':
      return openCall(piece);
    case 'citation':
      return undefined;
    default:
      return piece satisfies never;
  }
}

function openText(): OpenBlock {
  const citations: AnswerCitation[] = [];
  return {
    start: { type: 'text', text: '' },
    add(piece) {
      if (piece.kind === 'text') return [{ type: 'text_delta', text: piece.text }];
      if (piece.kind !== 'citation') return undefined;
      citations.push(piece.citation);
      return [];
    },
    complete: () => true,
    last: () => citations.map((citation) => ({ type: 'citations_delta', citation })),
  };
}

function openThought(begun: number | undefined): OpenBlock {
  let index = begun;
  let signature = '';
  return {
    start: { type: 'thinking', thinking: '', signature: '' },
    add(piece) {
      if (piece.kind !== 'thought') return undefined;
      if (piece.index !== undefined && index !== undefined && piece.index !== index) return undefined;
      index ??= piece.index;
      signature += piece.signature;
      return piece.text === '' ? [] : [{ type: 'thinking_delta', thinking: piece.text }];
    },
    complete: () => true,
    last: () => (signature === '' ? [] : [{ type: 'signature_delta', signature }]),
  };
}

/** Whole from the start. */
function openRedacted(data: string): OpenBlock {
  let begun = false;
  return {
    start: { type: 'redacted_thinking', data },
    add() {
      if (begun) return undefined;
      begun = true;
      return [];
    },
    complete: () => true,
    last: () => [],
  };
}

function openCall({ index, id, name }: BlockPiece & { kind: 'call' }): OpenBlock {
  const end = createObjectEnd();
  return {
    start: toolUseStart(id ?? '', name ?? ''),
    call: index,
    add(piece) {
      if (piece.kind !== 'call' || piece.index !== index) return undefined;
      end.add(piece.input);
      return piece.input === '' ? [] : [{ type: 'input_json_delta', partial_json: piece.input }];
    },
    complete: end.reached,
    last: () => [],
  };
}

/** A call before its input is known. */
const toolUseStart = (id: string, name: string): AnswerToolUse => ({
  type: 'tool_use',
  id,
  name,
  input: {},
  caller: { type: 'direct' },
});
