import { createHash } from 'node:crypto';
import type { Catalogue, Model, Offer } from '@switchyard/contracts';
import type { DataFile, Feature, ModelEntry, OfferEntry } from './data-file.ts';

/** From what people write to what services read. The version changes with the content and with nothing else. */
export function buildCatalogue(files: readonly DataFile[], options: { sandbox: boolean }): Catalogue {
  const models = files
    .filter(({ simulated }) => !simulated || options.sandbox)
    .flatMap(({ family, models: entries }) => entries.map((entry) => buildModel(family, entry)));
  const version = createHash('sha256').update(JSON.stringify(models)).digest('base64url').slice(0, 16);
  return { version, models };
}

function buildModel(family: string, entry: ModelEntry): Model {
  const has = (feature: Feature) => entry.features.includes(feature);
  const { id, name, aliases, created, description, contextLength, deprecatedAt, deactivatedAt } = entry;
  const offers = entry.offers.map((offer) => buildOffer(entry, offer));
  return {
    ...{ id, name, aliases, created, description, family },
    inputModalities: entry.input,
    outputModalities: entry.output,
    ...(contextLength !== undefined && { contextLength }),
    jsonOutput: has('json') || has('structured'),
    structuredOutputs: has('structured'),
    free: offers.every(({ pricing }) => Object.values(pricing).every((price) => Number(price) === 0)),
    ...(deprecatedAt !== undefined && { deprecatedAt }),
    ...(deactivatedAt !== undefined && { deactivatedAt }),
    stability: entry.stability ?? 'stable',
    supportedParameters: supportedParameters(entry),
    offers,
  };
}

function buildOffer(entry: ModelEntry, offer: OfferEntry): Offer {
  const has = (feature: Feature) => (offer.features ?? entry.features).includes(feature);
  const contextLength = offer.contextLength ?? entry.contextLength;
  const maxOutput = offer.maxOutput ?? entry.maxOutput;
  const deactivatedAt = offer.deactivatedAt ?? entry.deactivatedAt;
  return {
    providerId: offer.provider,
    modelName: offer.model,
    pricing: offer.pricing,
    streaming: has('streaming'),
    vision: has('vision'),
    tools: has('tools'),
    parallelToolCalls: has('parallelToolCalls'),
    reasoning: has('reasoning'),
    // Leaving a stream closes its socket at every provider.
    cancellation: has('streaming'),
    stability: offer.stability ?? entry.stability ?? 'stable',
    ...(contextLength !== undefined && { contextLength }),
    ...(maxOutput !== undefined && { maxOutput }),
    ...(deactivatedAt !== undefined && { deactivatedAt }),
  };
}

const always = ['max_tokens', 'max_completion_tokens', 'user'];
/** Reasoning models take no sampling hints. */
const sampling = ['frequency_penalty', 'presence_penalty', 'seed', 'stop', 'temperature', 'top_p'];

function supportedParameters({ features }: ModelEntry): string[] {
  const has = (feature: Feature) => features.includes(feature);
  return [
    ...always,
    ...(has('reasoning') ? ['reasoning', 'reasoning_effort'] : sampling),
    ...(has('json') || has('structured') ? ['response_format'] : []),
    ...(has('streaming') ? ['stream', 'stream_options'] : []),
    ...(has('tools') ? ['tools', 'tool_choice'] : []),
    ...(has('parallelToolCalls') ? ['parallel_tool_calls'] : []),
  ].toSorted();
}
