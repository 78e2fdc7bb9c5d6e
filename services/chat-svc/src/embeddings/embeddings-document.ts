import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Entry } from '@tallyport/serving/cache';
import type { ExchangeAnswer } from '@tallyport/bus';
import type { ServedEmbeddings, VectorText } from '@tallyport/dispatch';
import {
  hitHeaders,
  jsonHeaders,
  metadataOf,
  offerOf,
  servedModel,
  type ServedRequest,
  slicedAnswer,
} from '@tallyport/serving';
import { type AnswerDocument, totalBytes, writtenDocument } from '@tallyport/wire';
import { cachedDocument } from '../calls/cached-document.ts';
import type { CallRecipient } from '../calls/call-endpoint.ts';
import { promptUsageOf } from '../calls/prompt-usage.ts';

/** Slices of about this size are sent; smaller ones would cost a frame each. */
const sliceBytes = 256 * 1024;

/** Renders the answer in slices. `data` is its last member, so that a cached answer gets a new head without parsing. */
export async function embeddingsDocument(served: ServedRequest, embeddings: ServedEmbeddings): Promise<AnswerDocument> {
  const { answer, usage, routing } = embeddings;
  const head = {
    object: 'list',
    model: servedModel(served),
    usage: promptUsageOf(usage),
    metadata: metadataOf(served, routing),
  };
  const slices: Buffer[] = [];
  let parts: Buffer[] = [Buffer.from(headText(head))];
  let bytes = 0;
  for (const [at, vector] of answer.vectors.entries()) {
    const entry = entryParts(vector, at);
    parts.push(...entry);
    bytes += totalBytes(entry);
    if (bytes < sliceBytes) continue;
    slices.push(Buffer.concat(parts));
    parts = [];
    bytes = 0;
    await nextTurn();
  }
  slices.push(Buffer.concat([...parts, entriesEnd]));
  return writtenDocument(slices);
}

const entryParts = (vector: VectorText, at: number): Buffer[] => [
  Buffer.from(`${at === 0 ? '' : ','}{"object":"embedding","index":${at},"embedding":`),
  ...vector,
  entryEnd,
];

const entryEnd = Buffer.from('}');
const entriesEnd = Buffer.from(']}');

/** No string can contain this, because quotes in strings are escaped. */
const dataStart = ',"data":[';

const headText = (head: object): string => `${JSON.stringify(head).slice(0, -1)}${dataStart}`;

/** Builds the answer from that of another request, at no cost. Throws if the entry holds no embeddings. */
export async function embeddingsFrom(
  { body, provider }: Entry,
  { head, form, plan, planMs }: CallRecipient,
): Promise<ExchangeAnswer> {
  const at = body.indexOf(dataStart);
  const kept = JSON.parse(`${body.toString('utf8', 0, Math.max(at, 0))}}`);
  const served = { head, plan, offer: offerOf(plan, provider) };
  const headers = { ...jsonHeaders, ...hitHeaders(served, planMs) };
  const start = Buffer.from(headText(cachedDocument(kept, served)));
  const document = writtenDocument([start, body.subarray(at + dataStart.length)]);
  return slicedAnswer({ status: 200, headers }, await form.whole(document));
}
