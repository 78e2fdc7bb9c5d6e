import type { Catalogue, Model, Offer } from '../index.ts';

/** An offer with every capability except reasoning, unless `changes` says otherwise. */
export const offerOf = (providerId: string, changes: Partial<Offer> = {}): Offer => ({
  providerId,
  modelName: 'model',
  pricing: {},
  streaming: true,
  vision: true,
  tools: true,
  parallelToolCalls: true,
  reasoning: false,
  cancellation: true,
  stability: 'stable',
  ...changes,
});

export const modelOf = (id: string, offers: readonly Offer[], changes: Partial<Model> = {}): Model => ({
  id,
  name: id,
  aliases: [],
  created: 1,
  description: '',
  family: 'test',
  inputModalities: ['text'],
  outputModalities: ['text'],
  jsonOutput: true,
  structuredOutputs: true,
  free: false,
  stability: 'stable',
  supportedParameters: [],
  offers: [...offers],
  ...changes,
});

export const catalogueOf = (...models: Model[]): Catalogue => ({ version: '1', models });
