import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExchangeAnswer } from '@tallyport/bus';
import type { VectorText } from '@tallyport/dispatch';
import { hitHeaders, jsonHeaders, offerOf, slicedAnswer } from '@tallyport/serving';
import type { Entry } from '@tallyport/serving/cache';
import { type AnswerDocument, totalBytes, writtenDocument } from '@tallyport/wire';
import { cachedDocument } from '../calls/cached-document.ts';
import type { CallRecipient } from '../calls/call-endpoint.ts';

/** How an API has vectors in its answer, as the last member. */
interface VectorsForm {
  /** Between the other members and the first vector. No string contains it, because quotes in strings are escaped. */
  start: string;
  entry(vector: VectorText, at: number): readonly Buffer[];
  end: string;
}

/** Slices of about this size are sent; smaller ones would cost a frame each. */
const sliceBytes = 256 * 1024;

const comma = Buffer.from(',');

/** Renders the answer in slices, so that a cached answer gets a new head without parsing its vectors. */
export async function writtenVectors(
  head: object,
  vectors: readonly VectorText[],
  { start, entry, end }: VectorsForm,
): Promise<AnswerDocument> {
  const slices: Buffer[] = [];
  let parts: Buffer[] = [Buffer.from(headText(head, start))];
  let bytes = 0;
  for (const [at, vector] of vectors.entries()) {
    const written = [...(at === 0 ? [] : [comma]), ...entry(vector, at)];
    parts.push(...written);
    bytes += totalBytes(written);
    if (bytes < sliceBytes) continue;
    slices.push(Buffer.concat(parts));
    parts = [];
    bytes = 0;
    await nextTurn();
  }
  slices.push(Buffer.concat([...parts, Buffer.from(end)]));
  return writtenDocument(slices);
}

const headText = (head: object, start: string): string => `${JSON.stringify(head).slice(0, -1)}${start}`;

/**
 * Builds the answer from that of another request, at no cost; `start` is what the vectors of both begin with. Throws if the
 * entry holds no embeddings.
 */
export const vectorsFrom =
  (start: string) =>
  async ({ body, provider }: Entry, { head, form, plan, planMs }: CallRecipient): Promise<ExchangeAnswer> => {
    const at = body.indexOf(start);
    const kept = JSON.parse(`${body.toString('utf8', 0, Math.max(at, 0))}}`);
    const served = { head, plan, offer: offerOf(plan, provider) };
    const headers = { ...jsonHeaders, ...hitHeaders(served, planMs) };
    const beginning = Buffer.from(headText(cachedDocument(kept, served), start));
    const document = writtenDocument([beginning, body.subarray(at + start.length)]);
    return slicedAnswer({ status: 200, headers }, await form.whole(document));
  };
