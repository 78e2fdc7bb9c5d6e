import type { Model, Offer } from '@switchyard/contracts';

/** A model as `GET /v1/models` shows it: what OpenAI's clients look for, and our own members. Unknown members are left out. */
export const modelRecord = (model: Model): object => ({
  id: model.id,
  object: 'model',
  owned_by: model.family,
  name: model.name,
  aliases: model.aliases,
  created: model.created,
  description: model.description,
  family: model.family,
  architecture: {
    input_modalities: model.inputModalities,
    output_modalities: model.outputModalities,
    tokenizer: model.tokenizer ?? 'Other',
  },
  top_provider: { is_moderated: model.moderated ?? false },
  providers: model.offers.map(providerEntry),
  pricing: firstPrices(model),
  ...(model.contextLength !== undefined && { context_length: model.contextLength }),
  per_request_limits: perRequestLimits(model),
  supported_parameters: model.supportedParameters,
  json_output: model.jsonOutput,
  structured_outputs: model.structuredOutputs,
  free: model.free,
  ...(model.deprecatedAt !== undefined && { deprecated_at: model.deprecatedAt }),
  ...(model.deactivatedAt !== undefined && { deactivated_at: model.deactivatedAt }),
  stability: model.stability,
});

/** Those of the first offer, the one that is tried first while nothing speaks against it. Thinking is billed as output. */
function firstPrices({ offers: [offer] }: Model): Record<string, string> {
  if (offer === undefined) return {};
  const { pricing, reasoning } = offer;
  const { completion } = pricing;
  return reasoning && completion !== undefined ? { internal_reasoning: completion, ...pricing } : pricing;
}

const providerEntry = ({ providerId, modelName, pricing, ...offer }: Offer): object => ({
  providerId,
  modelName,
  pricing: pick(pricing, ['prompt', 'completion', 'image']),
  streaming: offer.streaming,
  vision: offer.vision,
  cancellation: offer.cancellation,
  tools: offer.tools,
  parallelToolCalls: offer.parallelToolCalls,
  reasoning: offer.reasoning,
  stability: offer.stability,
});

const pick = (prices: Readonly<Record<string, string>>, kinds: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    kinds.flatMap((kind) => {
      const price = prices[kind];
      return price === undefined ? [] : [[kind, price]];
    }),
  );

/** As text, like the prices. */
function perRequestLimits({ contextLength, maxOutput, offers }: Model): Record<string, string> {
  const outputs = [...offers.map((offer) => offer.maxOutput), maxOutput].filter((limit) => limit !== undefined);
  return {
    ...(contextLength !== undefined && { prompt_tokens: String(contextLength) }),
    ...(outputs.length > 0 && { completion_tokens: String(Math.max(...outputs)) }),
  };
}
