import type { GatewayError, Offer } from '@tallyport/contracts';
import type { OpenAiVendor } from '../vendor.ts';
import type { NativeCall, NativeFormat } from '../../spec/provider.ts';
import { withNativeMembers } from '../../native-members.ts';
import { items } from '../../read.ts';
import { readResponse } from './answer.ts';
import { fitsResponses } from './native-fit.ts';
import { createResponsesReader } from './stream.ts';

/** Requests of clients of the Responses API. */
export const nativeResponses = (vendor: OpenAiVendor): NativeFormat => ({
  fits: fitsResponses,
  request: (call, offer) => ({
    method: 'POST',
    path: '/responses',
    headers: {
      'content-type': 'application/json',
      accept: call.stream ? 'text/event-stream' : 'application/json',
      ...call.headers,
    },
    body: nativeBody(call, offer),
  }),
  reading: {
    response: (body, context) => readResponse(body, vendor, context),
    stream: (context) => createResponsesReader(vendor, context),
  },
  answerModel: ['model'],
  eventModel: () => ['response', 'model'],
  openings,
  isRefused,
});

const openings: ReadonlySet<string> = new Set([
  'keepalive',
  'response.content_part.added',
  'response.created',
  'response.in_progress',
  'response.output_item.added',
  'response.queued',
  'response.reasoning_summary_part.added',
]);

/** Asks for reasoning in the form that can be sent again. */
export const sealedReasoning = 'reasoning.encrypted_content';

/**
 * The vendor stores nothing: its ids are those of the gateway's account. A client that did not ask for that may continue
 * the response, so its reasoning is requested in the form that can be sent again.
 */
function nativeBody(call: NativeCall, offer: Offer): Buffer {
  const { members, limit = 0, maxOutput = Infinity, standardTier } = call;
  const { include, store } = members;
  const continues = store !== false;
  const wanted = items(include);
  const seals = continues && offer.reasoning && !wanted.includes(sealedReasoning);
  return withNativeMembers(call, [
    { path: ['model'], value: JSON.stringify(offer.modelName) },
    ...(limit > maxOutput ? [{ path: ['max_output_tokens'], value: String(maxOutput) }] : []),
    ...(standardTier ? [{ path: ['service_tier'], value: '"default"' }] : []),
    ...(continues ? [{ path: ['store'], value: 'false' }] : []),
    ...(seals ? [{ path: ['include'], value: JSON.stringify([...wanted, sealedReasoning]) }] : []),
  ]);
}

/**
 * The vendor's answer proves that it lacks the API, as other servers at its address do, or that it did not write the
 * reasoning in the request.
 */
const isRefused = (error: GatewayError): boolean =>
  error.provider?.code === 'invalid_encrypted_content' || lacksResponses(error);

/** The answer of a server without the API. */
export function lacksResponses({ provider }: GatewayError): boolean {
  const { status, code = '' } = provider ?? {};
  return (status === 404 || status === 405) && !/^(model_not_found|DeploymentNotFound)$/.test(code);
}
