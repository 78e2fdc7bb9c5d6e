import type { Offer } from '@tallyport/contracts';
import type { SentModel } from '@tallyport/endpoints';
import { findImageProvider } from '@tallyport/providers';
import { imageSizesOf } from './image-sizes.ts';
import type { ShownModel } from './shown-model.ts';
import { priceChangesOf } from '../prices/price-changes.ts';
import { dearestPrices, modelPrices, offerPrices } from './shown-prices.ts';

/** A model in the format of `GET /v1/models`: the members of OpenAI and our own. Unknown values are omitted. */
export const modelRecord = (model: ShownModel, whyNot: (offer: Offer) => string | undefined): SentModel => ({
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
  ...availability(model, whyNot),
  providers: model.offers.map((offer) => providerEntry(model, offer, whyNot(offer))),
  pricing: model.targets === undefined ? modelPrices(model) : dearestPrices(model.targets),
  ...contextLength(model),
  per_request_limits: perRequestLimits(model),
  ...(model.targets === undefined ? imageSizesOf(model) : { route: true as const }),
  supported_parameters: model.supportedParameters,
  json_output: model.jsonOutput,
  structured_outputs: model.structuredOutputs,
  free: model.free,
  ...(model.deprecatedAt !== undefined && { deprecated_at: model.deprecatedAt }),
  ...(model.deactivatedAt !== undefined && { deactivated_at: model.deactivatedAt }),
  stability: model.stability,
});

/** Whether any offer can be called now, or what is missing. */
function availability(
  { offers }: ShownModel,
  whyNot: (offer: Offer) => string | undefined,
): Pick<SentModel, 'available' | 'unavailable_reason'> {
  const reasons = offers.map(whyNot);
  if (reasons.includes(undefined)) return { available: true };
  return { available: false, unavailable_reason: [...new Set(reasons)].join('; ') };
}

/**
 * Image-only models have no context. Their prompts are limited in characters, and a token has at least one character.
 */
function contextLength({ contextLength: known, outputModalities, offers, targets }: ShownModel): {
  context_length?: number;
} {
  if (known !== undefined) return { context_length: known };
  if (outputModalities.includes('text') || targets !== undefined) return {};
  const prompts = offers.flatMap(
    (offer) => findImageProvider(offer.providerId)?.abilities(offer).maxPromptLength ?? [],
  );
  return prompts.length === 0 ? {} : { context_length: Math.max(...prompts) };
}

type Entry = SentModel['providers'][number];

const providerEntry = (model: ShownModel, offer: Offer, whyNot: string | undefined): Entry => ({
  providerId: offer.providerId,
  modelName: offer.modelName,
  pricing: offerPrices(model, offer),
  ...priceOrigin(offer),
  streaming: offer.streaming,
  vision: offer.vision,
  cancellation: offer.cancellation,
  tools: offer.tools,
  parallelToolCalls: offer.parallelToolCalls,
  reasoning: offer.reasoning,
  stability: offer.stability,
  available: whyNot === undefined,
  ...(whyNot !== undefined && { unavailable_reason: whyNot }),
});

function priceOrigin(offer: Offer): Pick<Entry, 'price_since' | 'price_source' | 'price_changes'> {
  const { priceSince, priceSource } = offer;
  const changes = priceChangesOf(offer);
  return {
    ...(priceSince !== undefined && { price_since: priceSince }),
    ...(priceSource !== undefined && { price_source: priceSource }),
    ...(changes.length > 0 && { price_changes: changes }),
  };
}

/** Limits as text, like the prices. */
function perRequestLimits({ contextLength, maxOutput, offers }: ShownModel): Record<string, string> {
  const outputs = [...offers.map((offer) => offer.maxOutput), maxOutput].filter((limit) => limit !== undefined);
  return {
    ...(contextLength !== undefined && { prompt_tokens: String(contextLength) }),
    ...(outputs.length > 0 && { completion_tokens: String(Math.max(...outputs)) }),
  };
}
