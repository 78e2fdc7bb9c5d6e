import { isGeminiEmbedding } from '@tallyport/dialects';
import { createEmbeddingDispatch, type DispatchOptions, planEmbeddings } from '@tallyport/dispatch';
import { estimatePrompts } from '@tallyport/pricing';
import type { EmbeddingCall, EmbeddingInput } from '@tallyport/providers';
import type { Kit } from '@tallyport/service-kit';
import { answerWhole } from '../calls/answer-whole.ts';
import type { CallEndpoint } from '../calls/call-endpoint.ts';
import { callEvents } from '../calls/call-events.ts';
import { routedBodyOf } from '../parse-request.ts';
import { asEmbeddingRequest, embeddingFacts, refuseOtherLengths } from './embedding-request.ts';
import { embeddingsFrom, embeddingsDocument } from './embeddings-document.ts';
import { expectedBytes } from './expected-bytes.ts';

/** `POST /v1/embeddings`. */
export const embeddings = (kit: Kit, options: DispatchOptions): CallEndpoint<EmbeddingCall> => ({
  operation: 'embeddings',
  parse(body, { head }) {
    const { body: members, standIns, preferences } = routedBodyOf(body, head);
    const { model, call, endUser } = asEmbeddingRequest(members);
    // Google's clients get Google's numbers: of its shortened vectors, only the direction is that of OpenAI's.
    const wanted = isGeminiEmbedding(head.path ?? '') ? { ...call, isUnscaled: true as const } : call;
    return { model, call: wanted, endUser, standIns, preferences };
  },
  plan: planEmbeddings,
  facts: embeddingFacts,
  refuseSeveral: refuseOtherLengths,
  estimate: ({ inputs }) => estimatePrompts(inputs),
  expectedBytes,
  prompt: ({ inputs }) => inputs.map((input) => ({ kind: 'text', text: textOf(input) })),
  cache: { counted: ({ user: _user, ...counted }) => counted, from: embeddingsFrom },
  ...answerWhole({
    dispatch: createEmbeddingDispatch(options),
    events: callEvents(kit, { operation: 'embeddings', plural: 'embeddings' }),
    render: embeddingsDocument,
  }),
});

const textOf = (input: EmbeddingInput): string => (typeof input === 'string' ? input : JSON.stringify(input));
