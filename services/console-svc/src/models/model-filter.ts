import type { FieldValues } from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import { type Capability, capabilities, capabilitiesOf } from './capabilities.ts';

export const modelOrders = { name: 'Name', price: 'Lowest price', context: 'Longest context' } as const;
type ModelOrder = keyof typeof modelOrders;

/** What the list shows; all of it is in the address of the page. */
export interface ModelFilter {
  search: string;
  capability: Capability | undefined;
  /** What the model makes: text, image, audio … */
  output: string | undefined;
  provider: string | undefined;
  onlyCallable: boolean;
  order: ModelOrder;
  /** The ids of the models that are compared. */
  compared: readonly string[];
  /** From 1. */
  page: number;
}

export const mostCompared = 4;
export const pageSize = 40;

export const readModelFilter = (query: FieldValues): ModelFilter => ({
  search: query['q']?.trim().slice(0, 100) ?? '',
  capability: nameIn(capabilities, query['can']),
  output: query['makes'] || undefined,
  provider: query['provider'] || undefined,
  onlyCallable: query['show'] !== 'all',
  order: nameIn(modelOrders, query['order']) ?? 'name',
  compared: [...new Set((query['compare'] ?? '').split(',').filter((id) => id !== ''))].slice(0, mostCompared),
  page: Math.max(1, Math.min(1_000, Math.trunc(Number(query['page'])) || 1)),
});

/** The parameters of the page's address. Usual values are left out. */
export function modelParameters(filter: ModelFilter): Record<string, string> {
  const { search, capability, output, provider, onlyCallable, order, compared, page } = filter;
  return {
    ...(search !== '' && { q: search }),
    ...(capability !== undefined && { can: capability }),
    ...(output !== undefined && { makes: output }),
    ...(provider !== undefined && { provider }),
    ...(!onlyCallable && { show: 'all' }),
    ...(order !== 'name' && { order }),
    ...(compared.length > 0 && { compare: compared.join(',') }),
    ...(page > 1 && { page: String(page) }),
  };
}

export function modelsAddress(base: string, filter: ModelFilter): string {
  const parameters = new URLSearchParams(modelParameters(filter));
  return parameters.size === 0 ? `${base}/models` : `${base}/models?${parameters.toString()}`;
}

export function filterModels(models: readonly CatalogueModel[], filter: ModelFilter): CatalogueModel[] {
  const words = filter.search.toLowerCase().split(/\s+/);
  return models
    .filter((model) => {
      const text = [model.id, model.name, model.family, ...model.aliases].join(' ').toLowerCase();
      return words.every((word) => text.includes(word)) && hasProperties(model, filter);
    })
    .toSorted(orders[filter.order]);
}

function hasProperties(model: CatalogueModel, { capability, output, provider, onlyCallable }: ModelFilter): boolean {
  return (
    (!onlyCallable || model.available) &&
    (capability === undefined || capabilitiesOf(model).includes(capability)) &&
    (output === undefined || model.architecture.output_modalities.includes(output)) &&
    (provider === undefined ||
      model.providers.some(({ providerId, available }) => providerId === provider && (!onlyCallable || available)))
  );
}

type Compare = (one: CatalogueModel, other: CatalogueModel) => number;

const byName: Compare = (one, other) => one.name.localeCompare(other.name, 'en');

const orders: Readonly<Record<ModelOrder, Compare>> = {
  name: byName,
  price: (one, other) => difference(priceOf(one), priceOf(other)) || byName(one, other),
  context: (one, other) => (other.context_length ?? 0) - (one.context_length ?? 0) || byName(one, other),
};

/** A model without a known price comes last. */
const priceOf = ({ pricing: { prompt, completion, image } }: CatalogueModel): number =>
  prompt === undefined && completion === undefined && image === undefined
    ? Infinity
    : Number(prompt ?? 0) + Number(completion ?? 0) + Number(image ?? 0);

const difference = (one: number, other: number): number => (one === other ? 0 : one - other);

const nameIn = <Name extends string>(names: Readonly<Record<Name, unknown>>, name: string | undefined) =>
  name !== undefined && Object.hasOwn(names, name) ? (name as Name) : undefined;
