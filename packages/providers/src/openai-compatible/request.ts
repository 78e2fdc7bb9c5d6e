import { GatewayError, type Offer } from '@tallyport/contracts';
import type { ChatRequest } from '@tallyport/wire';
import { unfetchedFile } from '../conversation/file-addresses.ts';
import { requestedThinking } from '../conversation/requested-thinking.ts';
import type { ChatCall } from '../spec/provider.ts';
import type { UpstreamRequest } from '../spec/upstream-request.ts';
import { leaveOutCacheMarks } from './cache-marks.ts';
import { applyEffort } from './efforts.ts';
import type { Quirks } from './quirks.ts';
import type { Members } from '../read.ts';
import { leaveOutRefused, refusedMember } from './refusals.ts';
import { messagesFor } from './request-messages.ts';
import { applyRules, type RequestRules, type RulesOf } from './request-rules.ts';
import { recalledCall } from './thinking-memory.ts';
import { leaveOutEmptyTools, leaveOutValidation, offerAllowedTools } from './tools.ts';
import { leaveOut, type VendorBody } from './vendor-body.ts';
import type { OpenAiVendor } from './vendor.ts';

export interface RequestTranslation {
  call: ChatCall;
  offer: Offer;
  path: string;
  vendor: OpenAiVendor;
  /** The vendor's. */
  rulesOf: RulesOf;
}

/** Builds the vendor's request. The client's request is not changed. */
export function openAiRequest(translation: RequestTranslation): UpstreamRequest {
  return jsonRequest(translation, openAiBody(translation));
}

export const jsonRequest = (
  { path, call }: Pick<RequestTranslation, 'path' | 'call'>,
  body: Members,
): UpstreamRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', accept: call.stream ? 'text/event-stream' : 'application/json' },
  body: stringify(body),
});

/** The body of the request, after all of the vendor's rules. */
export function openAiBody({ call: clientCall, offer, vendor, rulesOf }: Omit<RequestTranslation, 'path'>): Members {
  const { quirks } = vendor;
  const call =
    quirks.thinkingWithCalls === undefined ? clientCall : recalledCall(clientCall, quirks.thinkingWithCalls, offer);
  const rules = rulesOf(call, offer);
  const refused = firstUnsupported(quirks, call, rules);
  if (refused !== undefined) throw unsupported(vendor, offer, refused);
  const body: VendorBody = {
    ...call.request,
    model: offer.modelName,
    messages: messagesFor(call.request, offer, quirks),
  };
  leaveOutCacheMarks(body, quirks.cacheMarks);
  setStreaming(body, call, quirks);
  setOwnMembers(body, call.request, quirks);
  if (quirks.toolKinds !== 'all') offerAllowedTools(body, call.request);
  leaveOutValidation(body);
  leaveOutEmptyTools(body);
  leaveOutRefused(body, rules);
  applyEffort(body, { reasoning: call.request.reasoning, offer, rules });
  for (const rule of rules) applyRules(body, rule);
  const allowed = quirks.allow === undefined ? body : pick(body, quirks.allow);
  return quirks.body === undefined ? allowed : quirks.body(allowed, call.request);
}

/** The first member of the request that a vendor does not support with the model of these rules. */
export function firstUnsupported(quirks: Quirks, call: ChatCall, rules: readonly RequestRules[]): string | undefined {
  const custom = quirks.toolKinds !== 'all' && call.request.tools?.some(({ type }) => type === 'custom');
  if (custom === true) return 'tools';
  return refusedMember(rules, call) ?? (quirks.files === 'url' ? undefined : unfetchedFile(call.request));
}

const unsupported = ({ id }: OpenAiVendor, { modelName }: Offer, param: string): GatewayError =>
  new GatewayError(
    'unsupported_capability',
    `${id} does not support this ${param} with ${modelName}. Leave it out, or choose another provider.`,
    { param },
  );

function setStreaming(body: VendorBody, call: ChatCall, quirks: Quirks): void {
  leaveOut(body, 'stream');
  leaveOut(body, 'stream_options');
  if (!call.stream) return;
  body.stream = true;
  // Usage is always requested, because we bill it even if the client does not want to see it.
  if (quirks.streamUsage !== 'unasked') body.stream_options = { ...call.request.stream_options, include_usage: true };
}

function setOwnMembers(body: VendorBody, request: ChatRequest, quirks: Quirks): void {
  const keeps = (name: string): boolean => quirks.keepOwn?.includes(name) ?? false;
  for (const name of ['image_config', 'usage']) if (!keeps(name)) leaveOut(body, name);
  if (!keeps('reasoning')) {
    leaveOut(body, 'reasoning');
    const effort = requestedThinking(request)?.effort;
    if (effort !== undefined) body.reasoning_effort = effort;
  }
  // Vendors of this format accept metadata only for stored answers.
  if (request.store !== true) leaveOut(body, 'metadata');
}

const pick = (body: VendorBody, names: readonly string[]): VendorBody =>
  Object.fromEntries(names.filter((name) => name in body).map((name) => [name, body[name]]));

/** JSON.stringify is recursive, so a body nested too deeply throws. That is the client's fault. */
function stringify(body: Members): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new GatewayError('invalid_parameters', 'The request is nested too deeply.', { cause });
  }
}
