import type { ExamplePlace } from '../docs/client-examples.ts';
import type { AgentTask } from './agent.ts';

/** The documented settings are moved to this gateway, key and model. */
export const placeOf = ({ baseUrl, apiKey, model }: AgentTask): ExamplePlace => ({
  origin: new URL(baseUrl).origin,
  apiKey,
  model,
});
