import type { Offer } from '@tallyport/contracts';
import type { ChatRequest, MessagesOutputConfig, MessagesRequest } from '@tallyport/wire';
import { readConversation } from '../conversation/conversation.ts';
import { readTools } from '../conversation/tools.ts';
import { unsupportedCapability, unsupportedMember } from '../conversation/unsupported.ts';
import type { ChatCall } from '../spec/provider.ts';
import type { UpstreamRequest } from '../spec/upstream-request.ts';
import { finiteNumber } from '../read.ts';
import { claudeAnswerForm, type ClaudeAnswerForm } from './answer-form.ts';
import { withKeptThoughts } from './kept-thoughts.ts';
import { lacksThoughts, toMessages } from './messages.ts';
import { type ClaudeRules, claudeRules } from './models.ts';
import { anthropicThinking } from './thinking.ts';
import { anthropicTools } from './tools.ts';

/**
 * The first member this vendor cannot honour: outputs other than text, files that are not on the web, and forced tools on
 * models that do not support them.
 */
export function unsupportedByAnthropic({ request }: ChatCall, offer: Offer): string | undefined {
  const member = unsupportedMember(request, { logprobs: false, outputs: [], audioInput: false, fetchesFile });
  if (member !== undefined || claudeRules(offer.modelName).forcedTools) return member;
  const { use } = readTools(request);
  return use?.kind === 'any' || use?.kind === 'one' ? 'tool_choice' : undefined;
}

const fetchesFile = (address: string): boolean => /^https?:/i.test(address);

export function anthropicRequest(call: ChatCall, offer: Offer): UpstreamRequest {
  const body = toMessagesRequest(call, offer);
  return {
    method: 'POST',
    path: '/messages',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      accept: call.stream ? 'text/event-stream' : 'application/json',
      ...(body.speed === 'fast' && { 'anthropic-beta': fastModeBeta }),
    },
    body: JSON.stringify(body),
  };
}

/** Some models need it, and the others ignore it. */
const fastModeBeta = 'fast-mode-2026-02-01';

/** The request in the vendor's form. Members without a counterpart are left out; most of them are sampling hints. */
export function toMessagesRequest(call: ChatCall, offer: Offer): MessagesRequest {
  const unsupported = unsupportedByAnthropic(call, offer);
  if (unsupported !== undefined) throw unsupportedCapability(offer, unsupported);
  const { stream } = call;
  const request = withKeptThoughts(call.request, call.signatures);
  const rules = claudeRules(offer.modelName);
  const conversation = readConversation(request);
  const maxTokens = maxTokensOf(request, offer.maxOutput ?? rules.maxOutput);
  const form = claudeAnswerForm(request, rules);
  const tools = anthropicTools({ request, conversation, rules, form });
  const { thinking, effort } = anthropicThinking({
    request,
    rules,
    maxTokens,
    forced: forces(tools.tool_choice),
    unsigned: lacksThoughts(conversation),
  });
  const thinks = thinking !== undefined && thinking.type !== 'disabled';
  const prefill = rules.prefill && !thinks && form.kind !== 'native';
  const { system, messages } = toMessages(conversation, { thinks, prefill });
  if (form.kind === 'words') system.push({ type: 'text', text: form.instruction });
  const outputConfig = outputConfigOf(form, effort);
  return {
    model: offer.modelName,
    max_tokens: maxTokens,
    ...(system.length > 0 && { system }),
    messages,
    ...tools,
    ...(thinking && { thinking }),
    ...(outputConfig && { output_config: outputConfig }),
    ...(!thinks && samplingOf(request, rules)),
    ...hintsOf(request, offer),
    ...(stream && { stream }),
  };
}

const forces = (choice: MessagesRequest['tool_choice']): boolean => choice?.type === 'any' || choice?.type === 'tool';

/** Required by the vendor, which refuses more than the model's maximum. */
function maxTokensOf({ max_completion_tokens, max_tokens }: ChatRequest, most: number): number {
  return Math.min(max_completion_tokens ?? max_tokens ?? most, most);
}

function outputConfigOf(
  form: ClaudeAnswerForm,
  effort: MessagesOutputConfig['effort'],
): MessagesOutputConfig | undefined {
  if (effort === undefined && form.kind !== 'native') return undefined;
  return {
    ...(effort && { effort }),
    ...(form.kind === 'native' && { format: { type: 'json_schema', schema: form.schema } }),
  };
}

/** Thinking models and the newest models have a fixed temperature. */
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

function hintsOf(
  { stop, user, safety_identifier, service_tier }: ChatRequest,
  { tiers }: Offer,
): Partial<MessagesRequest> {
  const stops = [stop ?? []].flat().filter((sequence) => sequence.trim() !== '');
  const tier = service_tier == null ? undefined : serviceTiers.get(service_tier);
  const isFast = (service_tier === 'fast' || service_tier === 'priority') && tiers?.['fast'] !== undefined;
  const userId = user ?? safety_identifier;
  return {
    ...(stops.length > 0 && { stop_sequences: stops }),
    ...(userId && { metadata: { user_id: userId } }),
    ...(tier && { service_tier: tier }),
    ...(isFast && { speed: 'fast' as const }),
  };
}

const serviceTiers: ReadonlyMap<string, 'auto' | 'standard_only'> = new Map([
  ['auto', 'auto'],
  ['default', 'standard_only'],
]);
