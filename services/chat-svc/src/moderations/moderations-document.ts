import type { Entry } from '@tallyport/serving/cache';
import type { ExchangeAnswer } from '@tallyport/bus';
import type { ServedModerations } from '@tallyport/dispatch';
import {
  hitHeaders,
  jsonHeaders,
  metadataOf,
  offerOf,
  servedModel,
  type ServedRequest,
  slicedAnswer,
} from '@tallyport/serving';
import { type AnswerDocument, documentOf } from '@tallyport/wire';
import { cachedDocument } from '../calls/cached-document.ts';
import type { CallRecipient } from '../calls/call-endpoint.ts';
import { promptUsageOf } from '../calls/prompt-usage.ts';

/** The answer in OpenAI's form. */
export const moderationsDocument = (
  served: ServedRequest,
  { answer, usage, routing }: ServedModerations,
): AnswerDocument =>
  documentOf({
    id: answer.id ?? `modr-${served.head.requestId}`,
    model: servedModel(served),
    results: answer.results,
    usage: promptUsageOf(usage),
    metadata: metadataOf(served, routing),
  });

export function moderationsFrom({ body, provider }: Entry, { head, plan, planMs }: CallRecipient): ExchangeAnswer {
  const kept = JSON.parse(body.toString('utf8'));
  const served = { head, plan, offer: offerOf(plan, provider) };
  return slicedAnswer({ status: 200, headers: { ...jsonHeaders, ...hitHeaders(served, planMs) } }, [
    Buffer.from(JSON.stringify(cachedDocument(kept, served))),
  ]);
}
