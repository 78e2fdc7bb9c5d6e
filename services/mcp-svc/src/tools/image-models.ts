import { GatewayError } from '@tallyport/contracts';
import type { Gateway } from '../gateway.ts';
import { callableModels } from './callable-models.ts';
import type { ModelRecord } from './model-list.ts';
import type { ToolContext } from '../tool.ts';

/**
 * The image models of a list in the order in which they are shown: the configured one, stable ones, other ones,
 * deprecated ones. The first one is the default of `generate-image`.
 */
export const imageModelsOf = (models: readonly ModelRecord[], configured: string): readonly ModelRecord[] =>
  models
    .filter(({ architecture }) => architecture.output_modalities.includes('image'))
    .toSorted((left, right) => placeOf(left, configured) - placeOf(right, configured));

function placeOf(model: ModelRecord, configured: string): number {
  if (isNamed(model, configured)) return 0;
  if (model.stability === 'stable') return 1;
  return model.stability === 'deprecated' ? 3 : 2;
}

const isNamed = ({ id, aliases, providers }: ModelRecord, name: string): boolean =>
  [id, ...aliases].includes(name) || providers.some(({ providerId }) => name === `${providerId}/${id}`);

/** The model for a call that names none. Without a list it is the configured one, whose error says what is wrong. */
export async function defaultImageModel(gateway: Gateway, configured: string, context: ToolContext): Promise<string> {
  const { findModels: listModels, listOffers } = gateway;
  const models = await callableModels({ listModels, listOffers }, {}, context).catch(ignoreAbsence);
  const [first] = imageModelsOf(models, configured);
  return first === undefined || isNamed(first, configured) ? configured : first.id;
}

function ignoreAbsence(thrown: unknown): readonly ModelRecord[] {
  if (thrown instanceof GatewayError && thrown.status >= 500) return [];
  throw thrown;
}
