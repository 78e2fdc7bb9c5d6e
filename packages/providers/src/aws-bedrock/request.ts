import type { Offer } from '@tallyport/contracts';
import type { BedrockRequest, ChatRequest } from '@tallyport/wire';
import { withKeptThoughts } from '../anthropic/kept-thoughts.ts';
import { type Conversation, firstCaller, readConversation } from '../conversation/conversation.ts';
import { readTools } from '../conversation/tools.ts';
import { unsupportedCapability, unsupportedMember } from '../conversation/unsupported.ts';
import type { ChatCall } from '../spec/provider.ts';
import type { UpstreamRequest } from '../spec/upstream-request.ts';
import { type AnswerForm, answerFormOf, instructionFor } from './answer-form.ts';
import { bedrockCallId } from './call-ids.ts';
import { type BedrockRules, bedrockRules, signsThinking } from './models.ts';
import { messagesOf } from './messages.ts';
import { bedrockMetadata } from './metadata.ts';
import { cachePointAfter } from './parts.ts';
import { reasoningBlocks } from './reasoning.ts';
import { stopTextPath } from './stop-reason.ts';
import { thinkingFields } from './thinking.ts';
import { type ToolPlan, toolPlanOf } from './tools.ts';

/**
 * The first member this vendor cannot honour: outputs other than text, files that are not sent inline, a web search, and
 * forced tools on models that do not support them.
 */
export function unsupportedByBedrock({ request }: ChatCall, offer: Offer): string | undefined {
  const member = unsupportedMember(request, { logprobs: false, outputs: [], audioInput: false });
  if (member !== undefined) return member;
  if (request.web_search_options) return 'web_search_options';
  if (bedrockRules(offer).toolChoice !== 'none') return undefined;
  const { use } = readTools(request);
  return use?.kind === 'any' || use?.kind === 'one' ? 'tool_choice' : undefined;
}

/** The model's name is a path segment, so `:` and the slashes of an ARN are percent-encoded. */
export function bedrockRequest(call: ChatCall, offer: Offer): UpstreamRequest {
  const unsupported = unsupportedByBedrock(call, offer);
  if (unsupported !== undefined) throw unsupportedCapability(offer, unsupported);
  const { stream } = call;
  const request = withKeptThoughts(call.request, call.signatures);
  return {
    method: 'POST',
    path: `/model/${encodeURIComponent(offer.modelName)}/${stream ? 'converse-stream' : 'converse'}`,
    headers: {
      'content-type': 'application/json',
      accept: stream ? 'application/vnd.amazon.eventstream' : 'application/json',
    },
    body: JSON.stringify(bodyOf(request, offer)),
  };
}

function bodyOf(request: ChatRequest, offer: Offer): BedrockRequest {
  const rules = bedrockRules(offer);
  const form = answerFormOf(request, offer);
  const conversation = withSomethingToAnswer(readConversation(request));
  const tools = toolPlanOf({ request, conversation, form, rules });
  const maxTokens = maxTokensOf(request, offer);
  const thinking = mayThink(conversation, tools, rules) ? thinkingFields(request, { rules, maxTokens }) : undefined;
  const thinks = thinking !== undefined;
  const prefill = rules.prefill && form.kind !== 'native' && !(thinks && signsThinking(rules));
  const additional = { ...tools.additional, ...thinking };
  const inference = inferenceOf(request, { rules, maxTokens, thinks });
  const system = systemOf(conversation, { form, rules });
  const outputConfig = outputConfigOf(form);
  const metadata = bedrockMetadata(request);
  return {
    messages: messagesOf(conversation, { rules, thinks, prefill, callId: bedrockCallId(rules) }),
    ...(system.length > 0 && { system }),
    ...(Object.keys(inference).length > 0 && { inferenceConfig: inference }),
    ...(tools.toolConfig && { toolConfig: tools.toolConfig }),
    ...(Object.keys(additional).length > 0 && { additionalModelRequestFields: additional }),
    ...responsePathsOf(request, rules),
    ...(outputConfig && { outputConfig }),
    ...(metadata && { requestMetadata: metadata }),
    ...(isServiceTier(request.service_tier) && { serviceTier: { type: request.service_tier } }),
  };
}

/** If there are only instructions, they become the user message. */
function withSomethingToAnswer(conversation: Conversation): Conversation {
  const { instructions, turns } = conversation;
  if (turns.length > 0) return conversation;
  return {
    instructions: [],
    turns: [{ role: 'user', parts: instructions.map((part) => ({ part, path: 'messages' })) }],
  };
}

const maxTokensOf = (request: ChatRequest, { maxOutput = Infinity }: Offer): number | undefined => {
  const requested = request.max_completion_tokens ?? request.max_tokens ?? undefined;
  return requested === undefined ? undefined : Math.min(requested, maxOutput);
};

/**
 * Models that sign their thinking do not think while a tool call is forced, nor after calls whose thinking the client
 * did not send back and the gateway does not remember. The vendor refuses both, so the request is sent without thinking.
 */
function mayThink({ turns }: Conversation, { forced }: ToolPlan, rules: BedrockRules): boolean {
  if (!signsThinking(rules)) return true;
  if (forced) return false;
  const caller = firstCaller(turns);
  return caller === undefined || reasoningBlocks(caller.message).length > 0;
}

interface Sampling {
  rules: BedrockRules;
  maxTokens: number | undefined;
  thinks: boolean;
}

function inferenceOf(request: ChatRequest, { rules, maxTokens, thinks }: Sampling) {
  const stops = stopsOf(request);
  const hints = rules.sampling === 'none' || (thinks && signsThinking(rules)) ? {} : samplingOf(request, rules);
  return {
    ...(maxTokens !== undefined && { maxTokens }),
    ...hints,
    ...(stops.length > 0 && { stopSequences: stops }),
  };
}

/** A request's only stop text needs no name. */
const responsePathsOf = (request: ChatRequest, { namesStop }: BedrockRules): Partial<BedrockRequest> =>
  namesStop && stopsOf(request).length > 1 ? { additionalModelResponseFieldPaths: [stopTextPath] } : {};

const stopsOf = ({ stop }: ChatRequest): string[] => [stop ?? []].flat().filter((text) => text.trim() !== '');

/** The vendor's temperature ends at 1, OpenAI's at 2. */
function samplingOf({ temperature, top_p: topP }: ChatRequest, { sampling }: BedrockRules) {
  const hasTemperature = typeof temperature === 'number';
  return {
    ...(hasTemperature && { temperature: Math.min(temperature, 1) }),
    ...(typeof topP === 'number' && !(hasTemperature && sampling === 'one') && { topP }),
  };
}

function systemOf({ instructions }: Conversation, { form, rules }: { form: AnswerForm; rules: BedrockRules }) {
  const instruction = instructionFor(form);
  return [
    ...instructions
      .filter(({ text }) => text.trim() !== '')
      .flatMap((part) => [{ text: part.text }, ...cachePointAfter(part, rules)]),
    ...(instruction === undefined ? [] : [{ text: instruction }]),
  ];
}

function outputConfigOf(form: AnswerForm): BedrockRequest['outputConfig'] {
  if (form.kind !== 'native') return undefined;
  const { name, description, schema } = form;
  const jsonSchema = { schema: JSON.stringify(schema), name, ...(description !== undefined && { description }) };
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
}

const serviceTiers = ['default', 'flex', 'priority'];

const isServiceTier = (tier: unknown): tier is string => typeof tier === 'string' && serviceTiers.includes(tier);
