import type { Offer } from '@switchyard/contracts';
import type { ChatRequest, MessagesOutputConfig, MessagesRequest } from '@switchyard/wire';
import { readConversation } from '../conversation/conversation.ts';
import { unsupportedCapability, unsupportedMember } from '../conversation/unsupported.ts';
import type { ChatCall, UpstreamRequest } from '../provider.ts';
import { finiteNumber } from '../read.ts';
import { lacksThoughts, toMessages } from './messages.ts';
import { type ClaudeRules, claudeRules } from './models.ts';
import { anthropicThinking } from './thinking.ts';
import { anthropicTools } from './tools.ts';

const jsonOnly = 'Answer with one JSON object and nothing else: no explanation, no code fence.';

/** Text in every mixture, and nothing else. */
export const unsupportedByAnthropic = ({ request }: ChatCall): string | undefined =>
  unsupportedMember(request, { logprobs: false, outputs: [], audioInput: false });

export function anthropicRequest(call: ChatCall, offer: Offer): UpstreamRequest {
  const unsupported = unsupportedByAnthropic(call);
  if (unsupported !== undefined) throw unsupportedCapability(offer, unsupported);
  return {
    method: 'POST',
    path: '/messages',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      accept: call.stream ? 'text/event-stream' : 'application/json',
    },
    body: JSON.stringify(toMessagesRequest(call, offer)),
  };
}

/** The whole request in the vendor's form. What has no counterpart here is left out: hints about sampling, mostly. */
export function toMessagesRequest({ request, stream }: ChatCall, offer: Offer): MessagesRequest {
  const rules = claudeRules(offer.modelName);
  const conversation = readConversation(request);
  const maxTokens = maxTokensOf(request, offer.maxOutput ?? rules.maxOutput);
  const tools = anthropicTools(request, rules);
  const { thinking, effort } = anthropicThinking({
    request,
    rules,
    maxTokens,
    forced: forces(tools.tool_choice),
    unsigned: lacksThoughts(conversation),
  });
  const thinks = thinking !== undefined && thinking.type !== 'disabled';
  const { system, messages } = toMessages(conversation, thinks);
  if (request.response_format?.type === 'json_object') system.push({ type: 'text', text: jsonOnly });
  const outputConfig = outputConfigOf(request, rules, effort);
  return {
    model: offer.modelName,
    max_tokens: maxTokens,
    ...(system.length > 0 && { system }),
    messages,
    ...tools,
    ...(thinking && { thinking }),
    ...(outputConfig && { output_config: outputConfig }),
    ...(!thinks && samplingOf(request, rules)),
    ...hintsOf(request),
    ...(stream && { stream }),
  };
}

const forces = (choice: MessagesRequest['tool_choice']): boolean => choice?.type === 'any' || choice?.type === 'tool';

/** Required here. More than the model can give would be refused. */
function maxTokensOf({ max_completion_tokens, max_tokens }: ChatRequest, most: number): number {
  return Math.min(max_completion_tokens ?? max_tokens ?? most, most);
}

function outputConfigOf(
  { response_format: format }: ChatRequest,
  { schemas }: ClaudeRules,
  effort: MessagesOutputConfig['effort'],
): MessagesOutputConfig | undefined {
  const schema =
    format?.type === 'json_schema' && schemas ? (format.json_schema.schema ?? { type: 'object' }) : undefined;
  if (effort === undefined && schema === undefined) return undefined;
  return { ...(effort && { effort }), ...(schema && { format: { type: 'json_schema', schema } }) };
}

/** Thinking models have a temperature of their own, and so do the newest. */
function samplingOf(
  request: ChatRequest,
  { sampling }: ClaudeRules,
): Pick<MessagesRequest, 'temperature' | 'top_p' | 'top_k'> {
  if (sampling === 'none') return {};
  const temperature = finiteNumber(request.temperature);
  const topP = temperature !== undefined && sampling === 'one' ? undefined : finiteNumber(request.top_p);
  const topK = finiteNumber(request.top_k);
  return {
    ...(temperature !== undefined && { temperature: Math.min(temperature, 1) }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
  };
}

function hintsOf({ stop, user, safety_identifier, service_tier }: ChatRequest): Partial<MessagesRequest> {
  const stops = [stop ?? []].flat().filter((sequence) => sequence.trim() !== '');
  const tier = service_tier == null ? undefined : serviceTiers.get(service_tier);
  const userId = user ?? safety_identifier;
  return {
    ...(stops.length > 0 && { stop_sequences: stops }),
    ...(userId && { metadata: { user_id: userId } }),
    ...(tier && { service_tier: tier }),
  };
}

const serviceTiers: ReadonlyMap<string, 'auto' | 'standard_only'> = new Map([
  ['auto', 'auto'],
  ['default', 'standard_only'],
]);
