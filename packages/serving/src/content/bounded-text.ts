import type { ContentPart, ContentText } from '@tallyport/contracts';
import type { ContentPiece } from '../content-reader.ts';

/** What was gathered of a prompt or an answer. */
export interface BoundedText {
  /** Returns about how many bytes of memory it took. */
  add(piece: ContentPiece): number;
  /** Nothing more will be kept. */
  isFull(): boolean;
  text(): ContentText;
}

const maxParts = 1_000;
/** What a part costs besides its text. */
const partBytes = 64;
const longestName = 200;

/** Gathers parts until their texts have `maxBytes` bytes in UTF-8. */
export function createBoundedText(maxBytes: number): BoundedText {
  const parts: ContentPart[] = [];
  const growing = new Map<string, ContentPart>();
  let bytes = 0;
  let cut = false;

  /** The beginning of the text that fits, never half a character. */
  function fitting(text: string): string {
    const length = Buffer.byteLength(text);
    const room = maxBytes - bytes;
    if (length <= room) {
      bytes += length;
      return text;
    }
    cut = true;
    const fits = Buffer.from(text.slice(0, room))
      .subarray(0, room)
      .toString()
      .replace(/\uFFFD+$/, '');
    bytes = maxBytes;
    return fits;
  }

  function grow(part: ContentPart, { text, bytes: added }: ContentPiece): void {
    if (text !== undefined) part.text = (part.text ?? '') + fitting(text);
    if (added !== undefined) part.bytes = (part.bytes ?? 0) + added;
  }

  function begin({ of, text, ...described }: ContentPiece): void {
    if (parts.length === maxParts) {
      cut = true;
      return;
    }
    const { name } = described;
    const begun: ContentPart = {
      ...described,
      ...(name !== undefined && { name: name.slice(0, longestName) }),
      ...(text !== undefined && { text: fitting(text) }),
    };
    parts.push(begun);
    if (of !== undefined) growing.set(of, begun);
  }

  return {
    add(piece) {
      if (cut) return 0;
      const before = bytes + parts.length * partBytes;
      const part = piece.of === undefined ? undefined : growing.get(piece.of);
      if (part === undefined) begin(piece);
      else grow(part, piece);
      return bytes + parts.length * partBytes - before;
    },
    isFull: () => cut,
    text: () => ({ parts, cut }),
  };
}
