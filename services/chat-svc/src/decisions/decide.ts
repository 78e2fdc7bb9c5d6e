import { createDecisionDispatch, type DispatchOptions, planDecisions } from '@tallyport/dispatch';
import { estimatePrompts } from '@tallyport/pricing';
import { type DecisionCall, decisionImages, decisionTexts } from '@tallyport/providers';
import { openAiAnswerForm } from '@tallyport/serving';
import type { Kit } from '@tallyport/service-kit';
import { answerWhole } from '../calls/answer-whole.ts';
import { documentFromCache } from '../calls/cached-document.ts';
import type { CallEndpoint } from '../calls/call-endpoint.ts';
import { callEvents } from '../calls/call-events.ts';
import { routedBodyOf } from '../parse-request.ts';
import { asDecisionRequest, asStateRequest, decisionFacts } from './decision-request.ts';
import { decisionsDocument, stateDocument } from './decisions-document.ts';

/** A probability in an answer, with the name of what it is of. */
const bytesPerText = 120;

interface Decisions {
  /** `POST /v1/decisions`. */
  decide: CallEndpoint<DecisionCall>;
  /** `POST /v1/systemone`. */
  decideState: CallEndpoint<DecisionCall>;
}

/** Both forms of one kind of call, which share its connections. */
export function decisions(kit: Kit, options: DispatchOptions): Decisions {
  const dispatch = createDecisionDispatch(options);
  const events = callEvents(kit, { operation: 'decision', plural: 'decisions' });
  const of = (form: 'decisions' | 'systemone'): CallEndpoint<DecisionCall> => ({
    operation: 'decision',
    parse(bytes, { head }) {
      const { body, ...asked } = routedBodyOf(bytes, head);
      return { ...asked, ...(form === 'decisions' ? asDecisionRequest(body) : asStateRequest(body)) };
    },
    plan: planDecisions,
    facts: decisionFacts,
    estimate: (call) => estimatePrompts(decisionTexts(call), decisionImages(call)),
    expectedBytes: (call) => decisionTexts(call).length * bytesPerText,
    prompt: (call) => decisionTexts(call).map((text) => ({ kind: 'text', text })),
    cache: { counted: ({ subject, questions }) => ({ form, subject, questions }), from: documentFromCache },
    ...answerWhole({ dispatch, events, render: form === 'decisions' ? decisionsDocument : stateDocument }),
  });
  return {
    decide: of('decisions'),
    decideState: { ...of('systemone'), api: { name: 'systemone', form: openAiAnswerForm } },
  };
}
