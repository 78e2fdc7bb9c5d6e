import { createModerationDispatch, type DispatchOptions, planModerations } from '@switchyard/dispatch';
import { estimatePrompts } from '@switchyard/pricing';
import { type ModerationCall, moderationTexts, wantedResults } from '@switchyard/providers';
import type { Kit } from '@switchyard/service-kit';
import { answerWhole } from '../calls/answer-whole.ts';
import type { CallEndpoint } from '../calls/call-endpoint.ts';
import { callEvents } from '../calls/call-events.ts';
import { parseBody } from '../parse-request.ts';
import { asModerationRequest } from './moderation-request.ts';
import { moderationsDocument, moderationsFrom } from './moderations-document.ts';

/** A result names thirteen categories three times. */
const bytesPerResult = 2_048;

/** `POST /v1/moderations`. */
export const moderations = (kit: Kit, options: DispatchOptions): CallEndpoint<ModerationCall> => ({
  operation: 'moderation',
  parse: (body) => asModerationRequest(parseBody(body)),
  plan: planModerations,
  estimate: (call) => estimatePrompts(moderationTexts(call)),
  expectedBytes: (call) => wantedResults(call) * bytesPerResult,
  cache: { counted: (call) => call, from: moderationsFrom },
  ...answerWhole({
    dispatch: createModerationDispatch(options),
    events: callEvents(kit, { route: '/v1/moderations', operation: 'moderation', plural: 'moderations' }),
    render: moderationsDocument,
  }),
});
