import type { CatalogueModel } from '../gateway/catalogue-model.ts';

/** What people choose a model by, with the words for it. */
export const capabilities = {
  vision: 'Vision',
  tools: 'Tools',
  reasoning: 'Reasoning',
  schema: 'JSON schema',
} as const;

export type Capability = keyof typeof capabilities;

/** A model has a capability if it has it at one provider at least. */
export function capabilitiesOf({ providers, structured_outputs: hasSchemas }: CatalogueModel): Capability[] {
  const has: Readonly<Record<Capability, boolean>> = {
    vision: providers.some(({ vision }) => vision),
    tools: providers.some(({ tools }) => tools),
    reasoning: providers.some(({ reasoning }) => reasoning),
    schema: hasSchemas,
  };
  return (Object.keys(capabilities) as Capability[]).filter((name) => has[name]);
}

export const capabilityText = (model: CatalogueModel): string =>
  capabilitiesOf(model)
    .map((name) => capabilities[name])
    .join(', ');
