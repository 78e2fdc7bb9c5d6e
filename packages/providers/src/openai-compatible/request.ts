import { GatewayError, type Offer } from '@switchyard/contracts';
import type { ChatRequest } from '@switchyard/wire';
import type { ChatCall, UpstreamRequest } from '../provider.ts';
import { applyEffort } from './efforts.ts';
import type { Quirks } from './quirks.ts';
import type { Members } from '../read.ts';
import { leaveOutRefused, refusedMember } from './refusals.ts';
import { messagesFor } from './request-messages.ts';
import { applyRules, rulesFor } from './request-rules.ts';
import { withKeptThinking } from './thinking-memory.ts';
import type { VendorBody } from './vendor-body.ts';
import type { OpenAiVendor } from './vendor.ts';

export interface RequestTranslation {
  call: ChatCall;
  offer: Offer;
  path: string;
  vendor: OpenAiVendor;
}

/** The client's request with what this vendor needs otherwise; the request itself stays as it is. */
export function openAiRequest({ call: asked, offer, path, vendor }: RequestTranslation): UpstreamRequest {
  const { quirks } = vendor;
  const call = quirks.thinkingWithCalls === true ? withThinking(asked) : asked;
  const refused = unsupportedByVendor(quirks, call, offer);
  if (refused !== undefined) throw unsupported(vendor, offer, refused);
  const body: VendorBody = {
    ...call.request,
    model: offer.modelName,
    messages: messagesFor(call.request, offer, quirks),
  };
  setStreaming(body, call, quirks);
  setOwnMembers(body, call.request, quirks);
  const rules = rulesFor(quirks, call, offer);
  leaveOutRefused(body, rules);
  applyEffort(body, call.request.reasoning, rules);
  for (const rule of rules) applyRules(body, rule);
  const allowed = quirks.allow === undefined ? body : pick(body, quirks.allow);
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', accept: call.stream ? 'text/event-stream' : 'application/json' },
    body: stringify(quirks.body === undefined ? allowed : quirks.body(allowed, call.request)),
  };
}

const withThinking = (call: ChatCall): ChatCall => ({
  ...call,
  request: withKeptThinking(call.request, call.signatures),
});

/** The member of the request this vendor cannot honour with this model. */
export const unsupportedByVendor = (quirks: Quirks, call: ChatCall, offer: Offer): string | undefined =>
  refusedMember(rulesFor(quirks, call, offer), call);

const unsupported = ({ id }: OpenAiVendor, { modelName }: Offer, param: string): GatewayError =>
  new GatewayError(
    'unsupported_capability',
    `${id} cannot honour ${param} as asked with ${modelName}: leave it out, or choose another provider.`,
    { param },
  );

function setStreaming(body: VendorBody, call: ChatCall, quirks: Quirks): void {
  delete body.stream;
  delete body.stream_options;
  if (!call.stream) return;
  body.stream = true;
  // Usage is always asked for: we count what is used even where the client does not want to know.
  if (quirks.streamUsage !== 'unasked') body.stream_options = { ...call.request.stream_options, include_usage: true };
}

function setOwnMembers(body: VendorBody, request: ChatRequest, quirks: Quirks): void {
  const keeps = (name: string): boolean => quirks.keepOwn?.includes(name) ?? false;
  if (!keeps('image_config')) delete body.image_config;
  if (!keeps('reasoning')) {
    delete body.reasoning;
    const effort = request.reasoning_effort ?? request.reasoning?.effort;
    if (effort !== undefined && effort !== null) body.reasoning_effort = effort;
  }
  // Vendors of this format take metadata only for answers they are to keep, and refuse it otherwise.
  if (request.store !== true) delete body.metadata;
}

const pick = (body: VendorBody, names: readonly string[]): VendorBody =>
  Object.fromEntries(names.filter((name) => name in body).map((name) => [name, body[name]]));

/** JSON.stringify recurses: a body nested too deeply is the client's fault, not a crash of ours. */
function stringify(body: Members): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new GatewayError('invalid_parameters', 'The request is nested too deeply.', { cause });
  }
}
