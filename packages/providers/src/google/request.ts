import type { Offer } from '@tallyport/contracts';
import type { ChatRequest, GenerateContentRequest } from '@tallyport/wire';
import { readConversation } from '../conversation/conversation.ts';
import { readTools } from '../conversation/tools.ts';
import { unsupportedCapability, unsupportedMember } from '../conversation/unsupported.ts';
import { noSignatures } from '../spec/call-signatures.ts';
import type { ChatCall } from '../spec/provider.ts';
import { toContents } from './contents.ts';
import { stopsIn, toGenerationConfig } from './generation-config.ts';
import { geminiRules, type GeminiRules } from './models.ts';
import { isOwnAddress } from './parts.ts';
import { geminiTools } from './tools.ts';

const MOST_STOPS = 5;

/**
 * The first member this model cannot honour: image output on other models, files at addresses that are not the vendor's,
 * and combinations of tools, search and JSON output that it does not support.
 */
export function unsupportedByGemini({ request }: ChatCall, { modelName }: Offer): string | undefined {
  const rules = geminiRules(modelName);
  const outputs = rules.images === undefined ? [] : ['image'];
  const member = unsupportedMember(request, { logprobs: true, outputs, audioInput: true, fetchesFile: isOwnAddress });
  if (member !== undefined) return member;
  if (stopsIn(request.stop).length > MOST_STOPS) return 'stop';
  return excludedByTools(request, rules);
}

function excludedByTools(request: ChatRequest, { toolsWithJson }: GeminiRules): string | undefined {
  const { tools, use } = readTools(request);
  if (tools.length === 0 || use?.kind === 'none') return undefined;
  if (request.web_search_options) return 'web_search_options';
  return toolsWithJson || !isJson(request) ? undefined : 'response_format';
}

const isJson = ({ response_format: format }: ChatRequest): boolean => (format?.type ?? 'text') !== 'text';

/** The request in the vendor's form, the same on every host that serves these models. */
export function toGenerateContentRequest(call: ChatCall, offer: Offer): GenerateContentRequest {
  const unsupported = unsupportedByGemini(call, offer);
  if (unsupported !== undefined) throw unsupportedCapability(offer, unsupported);
  const { request, signatures } = call;
  const rules = geminiRules(offer.modelName);
  const conversation = readConversation(request);
  const { instructions, contents } = toContents({ conversation, rules, signatures: signatures ?? noSignatures });
  const generationConfig = toGenerationConfig(request, rules, offer);
  const tier = serviceTierOf(request);
  return {
    contents,
    ...(instructions.length > 0 && { systemInstruction: { parts: instructions } }),
    ...geminiTools(request, rules),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
    ...(tier && { serviceTier: tier }),
  };
}

const serviceTiers = new Map([
  ['default', 'standard'],
  ['flex', 'flex'],
  ['priority', 'priority'],
] as const);

const serviceTierOf = ({ service_tier: wished }: ChatRequest): GenerateContentRequest['serviceTier'] =>
  [...serviceTiers].find(([ours]) => ours === wished)?.[1];
