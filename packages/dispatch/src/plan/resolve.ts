import { GatewayError, type Model } from '@switchyard/contracts';
import type { ModelIndex } from './model-index.ts';
import { nearNames } from './near-names.ts';

/** What the client's `model` means. */
export interface ResolvedModel {
  model: Model;
  /** The provider that was asked for, when the id had a prefix. */
  providerId: string | undefined;
}

/** A whole name wins over a prefixed one: ids may contain slashes. Throws `model_not_found` with near names. */
export function resolveModel(requested: string, index: ModelIndex): ResolvedModel {
  const whole = index.find(requested);
  if (whole !== undefined) return { model: whole, providerId: undefined };
  const slash = requested.indexOf('/');
  const prefix = requested.slice(0, Math.max(slash, 0));
  if (!index.hasProvider(prefix)) throw notFound(requested, nearNames(requested, index.names()));
  const rest = requested.slice(slash + 1);
  const model = index.findAtProvider(prefix, rest) ?? index.find(rest);
  if (model === undefined || model.offers.every(({ providerId }) => providerId !== prefix)) {
    throw notFound(requested, namesNear(rest, prefix, index));
  }
  return { model, providerId: prefix };
}

const namesNear = (rest: string, prefix: string, index: ModelIndex): string[] =>
  nearNames(rest, index.names()).map((name) => {
    const offered = index.find(name)?.offers.some(({ providerId }) => providerId === prefix) === true;
    return offered ? `${prefix}/${name}` : name;
  });

function notFound(requested: string, near: readonly string[]): GatewayError {
  const hint = near.length === 0 ? 'GET /v1/models lists all.' : `Did you mean ${near.join(', ')}?`;
  const shown = requested.length > 100 ? `${requested.slice(0, 100)}…` : requested;
  return new GatewayError('model_not_found', `There is no model '${shown}'. ${hint}`, { param: 'model' });
}
