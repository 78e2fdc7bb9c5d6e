import { GatewayError, type Model, type Principal } from '@switchyard/contracts';

export interface ListFilters {
  includeDeactivated: boolean;
  excludeDeprecated: boolean;
}

/** Reads the query. A flag that is neither true nor false is refused: silence would list the wrong models. */
export function readFilters(query: string | undefined): ListFilters {
  const parameters = new URLSearchParams(query);
  return {
    includeDeactivated: readFlag(parameters, 'include_deactivated'),
    excludeDeprecated: readFlag(parameters, 'exclude_deprecated'),
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
  !(filters.excludeDeprecated && isPast(model.deprecatedAt, now));

/** Every offer is gone. */
export const isDeactivated = (model: Model, now: number): boolean =>
  isPast(model.deactivatedAt, now) || model.offers.every(({ deactivatedAt }) => isPast(deactivatedAt, now));

const isPast = (date: string | undefined, now: number): boolean => date !== undefined && Date.parse(date) <= now;

/** Whether this key may use any offer of the model. */
export function isVisibleTo(model: Model, { allowedModels, allowedProviders }: Principal): boolean {
  return model.offers.some(
    ({ providerId }) =>
      (allowedProviders === undefined || allowedProviders.includes(providerId)) &&
      (allowedModels === undefined ||
        allowedModels.includes(model.id) ||
        allowedModels.includes(`${providerId}/${model.id}`)),
  );
}

/** When a date of the catalogue passes next, and with it the list changes by itself. */
export function nextChange(models: readonly Model[], now: number): number {
  const dates = models
    .flatMap(({ deprecatedAt, deactivatedAt, offers }) => [
      deprecatedAt,
      deactivatedAt,
      ...offers.map((offer) => offer.deactivatedAt),
    ])
    .flatMap((date) => (date === undefined ? [] : [Date.parse(date)]));
  return Math.min(Number.POSITIVE_INFINITY, ...dates.filter((date) => date > now));
}
