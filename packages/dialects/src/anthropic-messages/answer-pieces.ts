import type { Annotation, ChunkDelta } from '@tallyport/wire';
import type { AnswerCitation } from './answer-types.ts';
import type { BlockPiece } from './open-block.ts';
import { thoughtPieces } from './thoughts.ts';

/** Thinking, text and calls in the order in which a vendor writes them. */
export function piecesOf(delta: ChunkDelta): BlockPiece[] {
  const { content, annotations, tool_calls } = delta;
  return [
    ...thinkingOf(delta),
    ...(content ? [{ kind: 'text' as const, text: content }] : []),
    ...(annotations ?? []).map((annotation) => ({ kind: 'citation' as const, citation: toCitation(annotation) })),
    ...(tool_calls ?? []).map(({ index, id, function: called }) => ({
      kind: 'call' as const,
      index,
      id,
      name: called?.name,
      input: called?.arguments ?? '',
    })),
  ];
}

function thinkingOf({ reasoning_content: thought = '', reasoning_details }: ChunkDelta): BlockPiece[] {
  const pieces = thoughtPieces(reasoning_details).map((piece): BlockPiece =>
    piece.kind === 'redacted'
      ? { kind: 'redacted', data: piece.data }
      : { kind: 'thought', index: piece.index, text: piece.text ?? '', signature: piece.signature ?? '' },
  );
  const isKnown = thought === '' || pieces.some((piece) => piece.kind === 'thought' && piece.text !== '');
  return isKnown ? pieces : [{ kind: 'thought', index: undefined, text: thought, signature: '' }, ...pieces];
}

const toCitation = ({ url_citation: { title, url } }: Annotation): AnswerCitation => ({
  type: 'web_search_result_location',
  cited_text: '',
  encrypted_index: '',
  title,
  url,
});
