import { replaceMembers, type SocketMessage } from '@tallyport/wire';
import type { RealtimeFormat } from '../spec/call-formats.ts';

/** Google's Live API. Its clients name the model in their first message. */
export const geminiLive: RealtimeFormat = {
  api: 'live',
  request: () => ({
    method: 'GET',
    path: '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
    headers: {},
    body: '',
    aboveVersion: true,
  }),
  opening: ({ setup }, { modelName }) =>
    setup && replaceMembers(setup, [{ path: ['setup', 'model'], value: JSON.stringify(`models/${modelName}`) }]),
  refusal: (first) => (first.kind === 'close' ? refusalIn(first) : undefined),
};

/** The vendor reports errors in its close frame, with a sentence. */
function refusalIn({
  code,
  reason: message,
}: Extract<SocketMessage, { kind: 'close' }>): ReturnType<RealtimeFormat['refusal']> {
  const { status, name } = kindOf(code, message);
  return { status, body: { error: { code: status, status: name, message } } };
}

function kindOf(code: number, reason: string): { status: number; name: string } {
  if (/quota|exhausted/i.test(reason)) return { status: 429, name: 'RESOURCE_EXHAUSTED' };
  if (/is not found|is not supported for/i.test(reason)) return { status: 404, name: 'NOT_FOUND' };
  if (code === invalidPayload || code === policyViolation) return { status: 400, name: 'INVALID_ARGUMENT' };
  return { status: 500, name: 'INTERNAL' };
}

const invalidPayload = 1007;
const policyViolation = 1008;
