import { GatewayError, type Offer } from '@switchyard/contracts';
import type { ChatMessage, ChatRequest } from '@switchyard/wire';
import type { ChatCall, UpstreamRequest } from '../provider.ts';
import type { Quirks, RequestRules } from './quirks.ts';

/** Members of ours in earlier assistant messages: no OpenAI-format vendor knows them unless its quirks say so. */
const ownMessageMembers = ['reasoning_content', 'reasoning_details', 'images'];

type Body = Record<string, unknown>;

export interface RequestTranslation {
  call: ChatCall;
  offer: Offer;
  path: string;
  quirks: Quirks;
}

/** The client's request with what this vendor needs otherwise; the request itself stays as it is. */
export function toUpstreamRequest({ call, offer, path, quirks }: RequestTranslation): UpstreamRequest {
  const body: Body = { ...call.request, model: offer.modelName, messages: messagesFor(call.request, offer, quirks) };
  setStreaming(body, call, quirks);
  setOwnMembers(body, call.request, quirks);
  applyRules(body, quirks.request ?? {});
  for (const rules of quirks.requestWhen ?? []) if (rules.when(call, offer)) applyRules(body, rules);
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', accept: call.stream ? 'text/event-stream' : 'application/json' },
    body: stringify(quirks.allow === undefined ? body : pick(body, quirks.allow)),
  };
}

function setStreaming(body: Body, call: ChatCall, quirks: Quirks): void {
  delete body.stream;
  delete body.stream_options;
  if (!call.stream) return;
  body.stream = true;
  // Usage is always asked for: we count what is used even where the client does not want to know.
  if (quirks.streamUsage !== 'unasked') body.stream_options = { ...call.request.stream_options, include_usage: true };
}

function setOwnMembers(body: Body, request: ChatRequest, quirks: Quirks): void {
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

function messagesFor(request: ChatRequest, offer: Offer, quirks: Quirks): ChatMessage[] {
  const unwanted = ownMessageMembers.filter((name) => !quirks.keepInMessages?.includes(name));
  return request.messages.map((message) => {
    const clean = message.role === 'assistant' ? without(message, unwanted) : message;
    return quirks.message === undefined ? clean : quirks.message(clean, offer);
  });
}

/** The same object where there is nothing to leave out, else a copy. */
function without(message: ChatMessage, names: readonly string[]): ChatMessage {
  if (!names.some((name) => name in message)) return message;
  const copy = { ...message };
  for (const name of names) delete copy[name];
  return copy;
}

function applyRules(body: Body, { rename = {}, drop = [], add = {} }: RequestRules): void {
  for (const [from, to] of Object.entries(rename)) {
    if (!(from in body)) continue;
    body[to] ??= body[from];
    delete body[from];
  }
  for (const name of drop) delete body[name];
  Object.assign(body, add);
}

const pick = (body: Body, names: readonly string[]): Body =>
  Object.fromEntries(names.filter((name) => name in body).map((name) => [name, body[name]]));

/** JSON.stringify recurses: a body nested too deeply is the client's fault, not a crash of ours. */
function stringify(body: Body): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new GatewayError('invalid_parameters', 'The request is nested too deeply.', { cause });
  }
}
