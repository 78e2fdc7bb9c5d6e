import { joinPieces } from '../pieces.ts';
import { batchedTexts } from './batched-texts.ts';
import type { ParsedDocument } from './parse.ts';

/** Puts the long strings back into the value, with a copy of each. Changes the given lists and objects. */
export function withLongStrings({ value, strings: { byPlaceholder } }: ParsedDocument): unknown {
  if (byPlaceholder.size === 0) return value;
  const batched = batchedTexts(byPlaceholder);
  const restored = (part: unknown): unknown => {
    if (typeof part === 'string') return batched.get(part) ?? textOf(byPlaceholder.get(part)) ?? part;
    if (Array.isArray(part)) {
      for (const [index, element] of part.entries()) part[index] = restored(element);
    } else if (isMembers(part)) for (const name of Object.keys(part)) part[name] = restored(part[name]);
    return part;
  };
  return restored(value);
}

/** Decodes as ASCII, which is several times faster than UTF-8. */
const textOf = (slices: readonly Buffer[] | undefined): string | undefined =>
  slices && joinPieces(slices).toString('latin1');

const isMembers = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
