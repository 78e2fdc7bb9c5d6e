import type { Offer } from '@switchyard/contracts';

/** An offer whose prices are what the test is about. */
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
