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
  const found = findModel(requested, index);
  if (found !== undefined) return found;
  const { prefix, rest } = partsOf(requested);
  if (index.isSimulatedOff(rest)) throw simulatedOff(rest);
  if (!index.hasProvider(prefix)) throw notFound(requested, namesFor(requested, index));
  throw notFound(requested, namesNear(rest, prefix, index), index.unknownModels === 'refuse' ? howToAllow : '');
}

/** The same for callers that need no error, which takes a while: `undefined` if there is no such model. */
export function findModel(requested: string, index: ModelIndex): ResolvedModel | undefined {
  const whole = index.find(requested);
  if (whole !== undefined) return { model: whole, providerId: undefined };
  const { prefix, rest } = partsOf(requested);
  if (index.isSimulatedOff(rest) || !index.hasProvider(prefix)) return undefined;
  const model = index.findAtProvider(prefix, rest) ?? index.find(rest);
  if (model?.offers.some(({ providerId }) => providerId === prefix)) return { model, providerId: prefix };
  const unknown = index.unknownModels === 'allow' ? unknownModel(prefix, rest) : undefined;
  return unknown && { model: unknown, providerId: prefix };
}

function partsOf(requested: string): { prefix: string; rest: string } {
  const slash = requested.indexOf('/');
  return { prefix: requested.slice(0, Math.max(slash, 0)), rest: requested.slice(slash + 1) };
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
