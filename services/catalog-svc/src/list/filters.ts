import { GatewayError, type Model } from '@tallyport/contracts';

export interface ListFilters {
  includeDeactivated: boolean;
  excludeDeprecated: boolean;
  /** Includes models that cannot be called here. */
  includeUnavailable: boolean;
}

/** Reads the query. Refuses any value but true and false, because ignoring it would list the wrong models. */
export function readFilters(query: string | undefined): ListFilters {
  const parameters = new URLSearchParams(query);
  return {
    includeDeactivated: readFlag(parameters, 'include_deactivated'),
    excludeDeprecated: readFlag(parameters, 'exclude_deprecated'),
    includeUnavailable: readFlag(parameters, 'include_unavailable'),
  };
}

function readFlag(parameters: URLSearchParams, name: string): boolean {
  const values = new Set(parameters.getAll(name).map((value) => value.trim().toLowerCase()));
  const [value = ''] = values;
  if (values.size <= 1 && ['true', '1'].includes(value)) return true;
  if (values.size <= 1 && ['false', '0', ''].includes(value)) return false;
  throw new GatewayError('invalid_parameters', `${name} must be true or false.`, { param: name });
}

export const passes = (model: Model, filters: ListFilters, now: number): boolean =>
  (filters.includeDeactivated || !isDeactivated(model, now)) &&
  !(filters.excludeDeprecated && isDeprecated(model, now));

/** What its record says: a model is deprecated from its date on, and as soon as its end is announced. */
export const isDeprecated = ({ stability, deprecatedAt }: DeprecableModel, now: number): boolean =>
  stability === 'deprecated' || isPast(deprecatedAt, now);

type DeprecableModel = Pick<Model, 'stability' | 'deprecatedAt'>;

/** All its offers are past their end dates. */
export const isDeactivated = (model: Model, now: number): boolean =>
  isPast(model.deactivatedAt, now) || model.offers.every(({ deactivatedAt }) => isPast(deactivatedAt, now));

export const isPast = (date: string | undefined, now: number): boolean => date !== undefined && Date.parse(date) <= now;

/** When the next date of the catalogue passes, which changes the list. */
export function nextChange(models: readonly Model[], now: number): number {
  const dates = models
    .flatMap(({ deprecatedAt, deactivatedAt, offers }) => [
      deprecatedAt,
      deactivatedAt,
      ...offers.flatMap(({ deactivatedAt: end, priceHistory = [] }) => [end, ...priceHistory.map(({ from }) => from)]),
    ])
    .flatMap((date) => (date === undefined ? [] : [Date.parse(date)]));
  return Math.min(Number.POSITIVE_INFINITY, ...dates.filter((date) => date > now));
}
