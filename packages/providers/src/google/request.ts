import type { Offer } from '@switchyard/contracts';
import type { ChatRequest, GenerateContentRequest } from '@switchyard/wire';
import { readConversation } from '../conversation/conversation.ts';
import type { ChatCall } from '../provider.ts';
import { toContents } from './contents.ts';
import { toGenerationConfig } from './generation-config.ts';
import { rulesOf } from './models.ts';
import { toTools } from './tools.ts';

/** The whole request in the vendor's form, the same for every way to reach these models. */
export function toGenerateContentRequest({ request, signatures }: ChatCall, offer: Offer): GenerateContentRequest {
  const rules = rulesOf(offer.modelName);
  const conversation = readConversation(request);
  const { instructions, contents } = toContents({ conversation, rules, signatures: signatures ?? new Map() });
  const generationConfig = toGenerationConfig(request, rules, offer);
  const tier = serviceTierOf(request);
  return {
    contents,
    ...(instructions.length > 0 && { systemInstruction: { parts: instructions } }),
    ...toTools(request, rules),
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
