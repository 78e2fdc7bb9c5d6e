import { unsupportedCapability } from '../../conversation/unsupported.ts';
import type { UpstreamRequest } from '../../spec/upstream-request.ts';
import { finiteNumber, type Members, members } from '../../read.ts';
import { jsonRequest, openAiBody, type RequestTranslation } from '../request.ts';
import { chatAsResponse } from './chat-as-response.ts';
import { sealedReasoning } from './native.ts';

/** Members of a chat that have other names here, or none. */
const onlyOfChats: ReadonlySet<string> = new Set([
  'audio',
  'function_call',
  'functions',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'messages',
  'modalities',
  'n',
  'prediction',
  'reasoning_effort',
  'response_format',
  'seed',
  'stop',
  'stream_options',
  'verbosity',
]);

/** The API refuses a lower limit. */
const leastLimit = 16;

/** A chat as a request to the vendor's Responses API, with the vendor's rules for chats. */
export function askedResponse(translation: Omit<RequestTranslation, 'path'>): UpstreamRequest {
  const { call, offer } = translation;
  const chat = openAiBody(translation);
  const prompt = chatAsResponse(chat);
  if (prompt === undefined) throw unsupportedCapability(offer, 'messages');
  const named = Object.fromEntries(Object.entries(chat).filter(([name]) => !onlyOfChats.has(name)));
  const { summary } = members(call.request.reasoning);
  const body = {
    ...named,
    ...prompt,
    ...limitOf(chat),
    ...(summary != null && { reasoning: { ...members(prompt.reasoning), summary } }),
    ...obfuscationOf(chat),
    // Nothing is stored unless the client asks for it, as in chats, so the reasoning comes back with the input.
    store: chat.store === true,
    include: [sealedReasoning],
  };
  return jsonRequest({ path: '/responses', call }, body);
}

function limitOf({ max_completion_tokens: limit }: Members): Members {
  const most = finiteNumber(limit);
  return most === undefined ? {} : { max_output_tokens: Math.max(most, leastLimit) };
}

function obfuscationOf({ stream_options: options }: Members): Members {
  const { include_obfuscation: pads } = members(options);
  return typeof pads === 'boolean' ? { stream_options: { include_obfuscation: pads } } : {};
}
