import { createRerankDispatch, type DispatchOptions, planRerank } from '@tallyport/dispatch';
import { estimateRanking } from '@tallyport/pricing';
import { type RerankCall, wantedResultsOf } from '@tallyport/providers';
import type { Kit } from '@tallyport/service-kit';
import { answerWhole } from '../calls/answer-whole.ts';
import { documentFromCache } from '../calls/cached-document.ts';
import type { CallEndpoint } from '../calls/call-endpoint.ts';
import { callEvents } from '../calls/call-events.ts';
import { routedBodyOf } from '../parse-request.ts';
import { rerankDocument } from './rerank-document.ts';
import { asRerankRequest, rerankFacts } from './rerank-request.ts';

/** A result in both forms. */
const bytesPerResult = 160;

/** `POST /v1/rerank`, and the same for clients of Cohere and of Jina. */
export const rankings = (kit: Kit, options: DispatchOptions): CallEndpoint<RerankCall> => ({
  operation: 'rerank',
  parse(bytes, { head }) {
    const { body, ...asked } = routedBodyOf(bytes, head);
    return { ...asked, ...asRerankRequest(body) };
  },
  plan: planRerank,
  facts: rerankFacts,
  estimate: estimateRanking,
  expectedBytes,
  prompt: ({ query, documents }) => [query, ...documents].map((text) => ({ kind: 'text', text })),
  cache: { counted: ({ priority: _priority, ...counted }) => counted, from: documentFromCache },
  ...answerWhole({
    dispatch: createRerankDispatch(options),
    events: callEvents(kit, { operation: 'rerank', plural: 'rankings' }),
    render: rerankDocument,
  }),
});

/** Documents that are repeated are in both forms. */
function expectedBytes(call: RerankCall): number {
  const texts = call.returnDocuments ? call.documents.reduce((sum, { length }) => sum + 2 * length, 0) : 0;
  return wantedResultsOf(call) * bytesPerResult + texts;
}
