import type { Question } from '@switchyard/answer-cache';
import type { WantedImages } from '../make-images.ts';
import { usageOperations } from '../set-aside.ts';
import { countedParts, inputBytesOf, mostInputBytes } from './counted-parts.ts';
import { imagesFrom } from './from-entry.ts';

/** A request for images, as one that may have been answered already. */
export const questionOf = (wanted: WantedImages): Question => ({
  exchange: wanted.exchange,
  operation: usageOperations[wanted.operation],
  mode: 'image',
  plan: wanted.plan,
  planMs: wanted.planMs,
  uncacheable: inputBytesOf(wanted.request) > mostInputBytes,
  counted: () => countedParts(wanted.request),
  from: (entry) => imagesFrom(entry, wanted),
});
