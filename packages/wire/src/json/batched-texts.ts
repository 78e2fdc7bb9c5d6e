import { totalBytes } from '../pieces.ts';
import type { LongStrings } from './long-strings.ts';

/** Node keeps texts of about 1 MB and more outside the JavaScript heap. */
const batchBytes = 2 * 1024 * 1024;
/** The garbage collector moves shorter texts as fast as this would copy them. */
const shortestBytes = 64 * 1024;
const longestBytes = 1024 * 1024;

/**
 * Decodes strings of medium length in batches, and cuts them out of texts outside the heap. In the heap, the garbage
 * collector would spend more time on moving them than decoding takes: 47 MB in 500 strings took twice as long.
 */
export function batchedTexts(byPlaceholder: LongStrings['byPlaceholder']): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let batch: Buffer | undefined;
  let waiting: { placeholder: string; end: number }[] = [];
  let used = 0;

  function cut(): void {
    const text = batch?.toString('latin1', 0, used) ?? '';
    let start = 0;
    for (const { placeholder, end } of waiting) {
      texts.set(placeholder, text.slice(start, end));
      start = end;
    }
    waiting = [];
    used = 0;
  }

  for (const [placeholder, slices] of byPlaceholder) {
    const length = totalBytes(slices);
    if (length < shortestBytes || length > longestBytes) continue;
    batch ??= Buffer.allocUnsafeSlow(batchBytes);
    if (used + length > batchBytes) cut();
    for (const slice of slices) used += slice.copy(batch, used);
    waiting.push({ placeholder, end: used });
  }
  cut();
  return texts;
}
