import type { Model, Offer } from '@tallyport/contracts';

/** Whether clients may use models that are not in the catalogue. */
export type UnknownModels = 'allow' | 'refuse';

const everything = {
  streaming: true,
  vision: true,
  tools: true,
  parallelToolCalls: true,
  reasoning: true,
  jsonOutput: true,
  structuredOutputs: true,
  cancellation: true,
} as const;

/** The `stability` of a model that is not in the catalogue. */
export const unlisted = 'unlisted';

/** The metric label of a model. Unlisted models share one label, because clients can invent names. */
export const modelLabel = ({ id, stability }: Pick<Model, 'id' | 'stability'>): string =>
  stability === unlisted ? unlisted : id;

const isName = /^[\x21-\x7e]{1,200}$/;

/** A model that is not in the catalogue: its provider decides what it can do, and its price is unknown. */
export function unknownModel(providerId: string, modelName: string): Model | undefined {
  if (!isName.test(modelName)) return undefined;
  const offer: Offer = { providerId, modelName, pricing: {}, ...everything, stability: unlisted };
  return {
    id: modelName,
    name: modelName,
    aliases: [],
    created: 0,
    description: 'Not in the catalogue.',
    family: providerId,
    inputModalities: ['text', 'image', 'audio', 'video', 'file'],
    outputModalities: ['text'],
    jsonOutput: true,
    structuredOutputs: true,
    free: false,
    stability: unlisted,
    supportedParameters: [],
    offers: [offer],
  };
}
