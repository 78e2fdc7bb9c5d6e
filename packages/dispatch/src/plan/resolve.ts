import { GatewayError, type Model } from '@tallyport/contracts';
import type { ModelIndex } from './model-index.ts';
import { nearNames } from './near-names.ts';
import { unknownModel } from './unknown-model.ts';

/** What the client's `model` resolves to. */
interface ResolvedModel {
  model: Model;
  /** The requested provider, if the name had a prefix. */
  providerId: string | undefined;
}

/**
 * Resolves a model name. A whole name wins over a prefixed one, because ids may contain slashes. A prefixed name that
 * is not in the catalogue is passed on to that provider if the operator allows it. Throws `model_not_found` with
 * similar names.
 */
export function resolveModel(requested: string, index: ModelIndex): ResolvedModel {
  const whole = index.find(requested);
  if (whole !== undefined) return { model: whole, providerId: undefined };
  const slash = requested.indexOf('/');
  if (index.isSimulatedOff(requested.slice(slash + 1))) throw simulatedOff(requested.slice(slash + 1));
  const prefix = requested.slice(0, Math.max(slash, 0));
  if (!index.hasProvider(prefix)) throw notFound(requested, namesFor(requested, index));
  const rest = requested.slice(slash + 1);
  const model = index.findAtProvider(prefix, rest) ?? index.find(rest);
  if (model === undefined || model.offers.every(({ providerId }) => providerId !== prefix)) {
    const unknown = index.unknownModels === 'allow' ? unknownModel(prefix, rest) : undefined;
    if (unknown !== undefined) return { model: unknown, providerId: prefix };
    throw notFound(requested, namesNear(rest, prefix, index), index.unknownModels === 'refuse' ? howToAllow : '');
  }
  return { model, providerId: prefix };
}

/** Suggestions for a mistyped provider, a colon instead of a slash, a tag (`:free`), or a mistyped model. */
function namesFor(requested: string, index: ModelIndex): string[] {
  const [, prefix = '', rest = ''] = /^([^/:]*)[/:](.+)$/s.exec(requested.slice(0, longestName)) ?? [];
  if (rest === '') return nearNames(requested, index.names());
  if (index.find(prefix) !== undefined) return [prefix];
  const providers = index.hasProvider(prefix) ? [prefix] : nearNames(prefix, index.providers());
  const offering = providers.filter((id) => index.find(rest)?.offers.some(({ providerId }) => providerId === id));
  if (offering.length > 0) return offering.map((id) => `${id}/${rest}`);
  if (index.find(rest) !== undefined) return [rest];
  const [likely] = providers;
  return likely === undefined ? nearNames(requested, index.names()) : namesNear(rest, likely, index);
}

const longestName = 200;

const namesNear = (rest: string, prefix: string, index: ModelIndex): string[] =>
  nearNames(rest, index.names()).map((name) => {
    const offered = index.find(name)?.offers.some(({ providerId }) => providerId === prefix) === true;
    return offered ? `${prefix}/${name}` : name;
  });

const howToAllow = ' To use models that are not in the catalogue, the operator can set UNKNOWN_MODELS=allow.';

const simulatedOff = (name: string): GatewayError =>
  new GatewayError(
    'model_not_found',
    `There is no model '${name}': the simulated models are off because a provider key is set (or by SANDBOX=off). SANDBOX=on keeps them.`,
    { param: 'model' },
  );

function notFound(requested: string, near: readonly string[], more = ''): GatewayError {
  const hint = near.length === 0 ? 'GET /v1/models lists all.' : `Did you mean ${near.join(', ')}?`;
  const shown = requested.length > 100 ? `${requested.slice(0, 100)}…` : requested;
  return new GatewayError('model_not_found', `There is no model '${shown}'. ${hint}${more}`, { param: 'model' });
}
