import { isGeminiEmbedding } from '@tallyport/dialects';
import { createEmbeddingDispatch, type DispatchOptions, planEmbeddings } from '@tallyport/dispatch';
import { estimatePrompts } from '@tallyport/pricing';
import type { EmbeddingCall, EmbeddingInput } from '@tallyport/providers';
import type { Kit } from '@tallyport/service-kit';
import { openAiAnswerForm } from '@tallyport/serving';
import { answerWhole } from '../calls/answer-whole.ts';
import type { CallEndpoint } from '../calls/call-endpoint.ts';
import { callEvents } from '../calls/call-events.ts';
import { routedBodyOf } from '../parse-request.ts';
import { asEmbedByTypeRequest, embeddingsByType, vectorsByType } from './embed-by-type.ts';
import { asEmbeddingRequest, embeddingFacts, refuseOtherLengths } from './embedding-request.ts';
import { dataStart, embeddingsDocument } from './embeddings-document.ts';
import { expectedBytes } from './expected-bytes.ts';
import { vectorsFrom } from './written-vectors.ts';

interface Embeddings {
  /** `POST /v1/embeddings`. */
  embed: CallEndpoint<EmbeddingCall>;
  /** `POST /v2/embed`, of Cohere. */
  embedByType: CallEndpoint<EmbeddingCall>;
}

/** Both forms of one kind of call, which share its connections. */
export function embeddings(kit: Kit, options: DispatchOptions): Embeddings {
  const dispatch = createEmbeddingDispatch(options);
  const events = callEvents(kit, { operation: 'embeddings', plural: 'embeddings' });
  const shared = {
    operation: 'embeddings',
    plan: planEmbeddings,
    facts: embeddingFacts,
    refuseSeveral: refuseOtherLengths,
    estimate: ({ inputs }: EmbeddingCall) => estimatePrompts(inputs),
    expectedBytes,
    prompt: ({ inputs }: EmbeddingCall) => inputs.map((input) => ({ kind: 'text', text: textOf(input) }) as const),
  } as const;
  return {
    embed: {
      ...shared,
      parse(body, { head }) {
        const { body: members, standIns, preferences } = routedBodyOf(body, head);
        const { model, call, endUser } = asEmbeddingRequest(members);
        // Google's clients get Google's numbers: of its shortened vectors, only the direction is that of OpenAI's.
        const wanted = isGeminiEmbedding(head.path ?? '') ? { ...call, isUnscaled: true as const } : call;
        return { model, call: wanted, endUser, standIns, preferences };
      },
      cache: { counted: ({ user: _user, ...counted }) => counted, from: vectorsFrom(dataStart) },
      ...answerWhole({ dispatch, events, render: embeddingsDocument }),
    },
    embedByType: {
      ...shared,
      api: { name: 'embed by type', form: openAiAnswerForm },
      parse(body, { head }) {
        const { body: members, ...asked } = routedBodyOf(body, head);
        return { ...asked, ...asEmbedByTypeRequest(members) };
      },
      cache: { counted: (call) => ({ form: 'by type', ...call }), from: vectorsFrom(vectorsByType) },
      ...answerWhole({ dispatch, events, render: embeddingsByType }),
    },
  };
}

const textOf = (input: EmbeddingInput): string => (typeof input === 'string' ? input : JSON.stringify(input));
