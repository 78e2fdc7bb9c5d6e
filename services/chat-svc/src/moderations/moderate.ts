import { createModerationDispatch, type DispatchOptions, planModerations } from '@tallyport/dispatch';
import { estimatePrompts } from '@tallyport/pricing';
import { type ModerationCall, type ModerationPart, moderationTexts, wantedResults } from '@tallyport/providers';
import type { Kit } from '@tallyport/service-kit';
import type { ContentPiece } from '@tallyport/serving';
import { answerWhole } from '../calls/answer-whole.ts';
import { documentFromCache } from '../calls/cached-document.ts';
import type { CallEndpoint } from '../calls/call-endpoint.ts';
import { callEvents } from '../calls/call-events.ts';
import { urlPiece } from '../content/media-piece.ts';
import { routedBodyOf } from '../parse-request.ts';
import { asModerationRequest, moderationFacts } from './moderation-request.ts';
import { moderationsDocument } from './moderations-document.ts';

/** A result names thirteen categories three times. */
const bytesPerResult = 2_048;

/** `POST /v1/moderations`. */
export const moderations = (kit: Kit, options: DispatchOptions): CallEndpoint<ModerationCall> => ({
  operation: 'moderation',
  parse(bytes, { head }) {
    const { body, ...asked } = routedBodyOf(bytes, head);
    return { ...asked, ...asModerationRequest(body) };
  },
  plan: planModerations,
  facts: moderationFacts,
  estimate: (call) => estimatePrompts(moderationTexts(call)),
  expectedBytes: (call) => wantedResults(call) * bytesPerResult,
  prompt: ({ input }) => [input].flat().map(inputPiece),
  cache: { counted: (call) => call, from: documentFromCache },
  ...answerWhole({
    dispatch: createModerationDispatch(options),
    events: callEvents(kit, { operation: 'moderation', plural: 'moderations' }),
    render: moderationsDocument,
  }),
});

function inputPiece(input: string | ModerationPart): ContentPiece {
  if (typeof input === 'string') return { kind: 'text', text: input };
  return input.type === 'text' ? { kind: 'text', text: input.text } : urlPiece(input.image_url.url);
}
