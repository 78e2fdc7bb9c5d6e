import { type Catalogue, GatewayError } from '@tallyport/contracts';

/** A model that a setting names, and the member that names it, such as `allowedModels[1]`. */
export interface NamedModel {
  param: string;
  model: string;
}

interface KnownNames {
  catalogue(): Promise<Catalogue>;
  /** The names of the account's routes. */
  routes(): Promise<readonly string[]>;
  /** Whether a route may be named like a model. */
  mayNameRoutes: boolean;
}

/**
 * Throws `invalid_parameters` for the first name that is no model, with similar names. A name at a known provider may be one
 * that UNKNOWN_MODELS passes on. While the catalogue is away, nothing is known to be wrong.
 */
export async function checkModels(named: readonly NamedModel[], known: KnownNames): Promise<void> {
  if (named.length === 0) return;
  const catalogue = await known.catalogue().catch(() => undefined);
  if (catalogue === undefined || catalogue.models.length === 0) return;
  const messageOf = await unknownModels(catalogue);
  const unknown = named.filter(({ model }) => messageOf(model) !== undefined);
  if (unknown.length === 0) return;
  const routes = new Set([...Object.keys(catalogue.routes ?? {}), ...(await known.routes())]);
  const wrong = unknown.find(({ model }) => !known.mayNameRoutes || !routes.has(model));
  if (wrong === undefined) return;
  const { param, model } = wrong;
  const message = routes.has(model) ? `'${model}' is a route, and a route names models.` : messageOf(model);
  throw new GatewayError('invalid_parameters', `\`${param}\`: ${message}`, { param });
}

/** Why a name is no model; `undefined` if it is one. */
async function unknownModels(catalogue: Catalogue): Promise<(model: string) => string | undefined> {
  // Loaded only when it is used, with all providers.
  const { indexCatalogue, resolveModel } = await import('@tallyport/dispatch');
  const index = indexCatalogue(catalogue, 'allow');
  return (model) => {
    if (index.isSimulatedOff(model)) return undefined;
    try {
      resolveModel(model, index);
      return undefined;
    } catch (thrown) {
      if (thrown instanceof GatewayError) return thrown.message;
      throw thrown;
    }
  };
}
