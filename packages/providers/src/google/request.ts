import type { Offer } from '@switchyard/contracts';
import type { ChatRequest, GenerateContentRequest } from '@switchyard/wire';
import { readConversation } from '../conversation/conversation.ts';
import { unsupportedCapability, unsupportedMember } from '../conversation/unsupported.ts';
import type { ChatCall } from '../provider.ts';
import { toContents } from './contents.ts';
import { toGenerationConfig } from './generation-config.ts';
import { geminiRules } from './models.ts';
import { geminiTools } from './tools.ts';

/** Pictures only where the model makes them. */
export const unsupportedByGemini = ({ request }: ChatCall, { modelName }: Offer): string | undefined =>
  unsupportedMember(request, {
    logprobs: true,
    outputs: geminiRules(modelName).images === undefined ? [] : ['image'],
    audioInput: true,
  });

/** The whole request in the vendor's form, the same for every way to reach these models. */
export function toGenerateContentRequest(call: ChatCall, offer: Offer): GenerateContentRequest {
  const unsupported = unsupportedByGemini(call, offer);
  if (unsupported !== undefined) throw unsupportedCapability(offer, unsupported);
  const { request, signatures } = call;
  const rules = geminiRules(offer.modelName);
  const conversation = readConversation(request);
  const { instructions, contents } = toContents({ conversation, rules, signatures: signatures ?? new Map() });
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
