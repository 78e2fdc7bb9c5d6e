import type { AssistantBlock } from './block-schemas.ts';
import { isPlainObject } from '../plain-object.ts';

/** Thinking as a client of this API keeps it and sends it back. */
export type ThoughtBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

/** Marks signatures of Claude, among those of other vendors, in `reasoning_details`. */
const claudeFormat = 'anthropic-claude-v1';

/** A piece of Claude's thinking in an answer. Pieces with one index belong to one block. */
type ThoughtPiece =
  | { kind: 'text'; index: number; text: string | undefined; signature: string | undefined }
  | { kind: 'redacted'; index: number; data: string };

/** Claude's own thinking. Details of other vendors are not for this API, and their thinking is in `reasoning_content`. */
export const thoughtPieces = (details: unknown): ThoughtPiece[] =>
  Array.isArray(details) ? details.flatMap(thoughtPiece) : [];

function thoughtPiece(detail: unknown, place: number): ThoughtPiece[] {
  if (!isPlainObject(detail) || detail.format !== claudeFormat) return [];
  const index = typeof detail.index === 'number' ? detail.index : place;
  if (detail.type === 'reasoning.encrypted') return [{ kind: 'redacted', index, data: textOf(detail.data) ?? '' }];
  const { text, signature } = detail;
  return detail.type === 'reasoning.text'
    ? [{ kind: 'text', index, text: textOf(text), signature: textOf(signature) }]
    : [];
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The members of an assistant message that carry its thinking. */
export function thoughtMembers(blocks: readonly AssistantBlock[]): Record<string, unknown> {
  const thoughts = blocks.filter((block) => block.type === 'thinking' || block.type === 'redacted_thinking');
  const said = thoughts.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('');
  const details = thoughts.filter(isProven).map(toDetail);
  return { ...(said !== '' && { reasoning_content: said }), ...(details.length > 0 && { reasoning_details: details }) };
}

/** What has no signature is not from Claude, or was not finished: Claude would refuse it. */
const isProven = (block: ThoughtBlock): boolean => block.type === 'redacted_thinking' || block.signature !== '';

const toDetail = (block: ThoughtBlock, index: number): object =>
  block.type === 'redacted_thinking'
    ? { type: 'reasoning.encrypted', data: block.data, format: claudeFormat, index }
    : {
        type: 'reasoning.text',
        ...(block.thinking !== '' && { text: block.thinking }),
        signature: block.signature,
        format: claudeFormat,
        index,
      };
