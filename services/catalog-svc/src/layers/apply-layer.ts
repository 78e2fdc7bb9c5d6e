import type { CustomProvider } from '@tallyport/contracts';
import type { Ingredient, Ingredients } from '../ingredients.ts';
import { applyModelChange } from './apply-model-change.ts';
import { type Layer, LayerError, type LayerProblem, type ProviderChange } from './layer.ts';

/** Applies a layer of changes. Throws LayerError if any of them does not fit; none is applied then. */
export function applyLayer(base: Ingredients, layer: Layer, builtIn: ReadonlySet<string>): Ingredients {
  const problems: LayerProblem[] = [];
  const { providers, priorities } = applyProviders(base, layer, { builtIn, problems });
  const models = new Map(base.models);
  const known = new Set([...builtIn, ...providers.keys()]);
  for (const [id, change] of Object.entries(layer.models)) {
    const path = ['models', id];
    const before = models.get(id);
    if (change === null && before === undefined) problems.push({ path, message: 'there is no such model to remove.' });
    models.delete(id);
    if (change === null) continue;
    const made = applyModelChange(id, before, change);
    if (Array.isArray(made))
      problems.push(...made.map((problem) => ({ ...problem, path: [...path, ...problem.path] })));
    else models.set(id, made);
  }
  problems.push(...unknownProviders(layer, models, known), ...duplicateNames(layer, models));
  if (problems.length > 0) throw new LayerError(problems);
  return { ...base, models: inOrder(base, models), providers, priorities, routes: { ...base.routes, ...layer.routes } };
}

/** A changed model keeps its place, because the order decides ties and lists should be stable. */
function inOrder(base: Ingredients, models: ReadonlyMap<string, Ingredient>): Map<string, Ingredient> {
  const ids = new Set([...base.models.keys(), ...models.keys()]);
  return new Map([...ids].flatMap((id) => (models.has(id) ? [[id, models.get(id)!]] : [])));
}

function applyProviders(
  base: Ingredients,
  { providers: changes }: Layer,
  { builtIn, problems }: { builtIn: ReadonlySet<string>; problems: LayerProblem[] },
): Pick<Ingredients, 'providers' | 'priorities'> {
  const providers = new Map(base.providers);
  const priorities = new Map(base.priorities);
  for (const [id, change] of Object.entries(changes)) {
    const problem = builtIn.has(id) ? problemWithBuiltIn(change) : problemWithOwn(providers.get(id), change);
    if (problem !== undefined) problems.push({ ...problem, path: ['providers', id, ...problem.path] });
    if (problem !== undefined) continue;
    if (change?.priority !== undefined) priorities.set(id, change.priority);
    if (change === null) providers.delete(id);
    else if (!builtIn.has(id)) providers.set(id, customProvider(id, providers.get(id), change));
  }
  return { providers, priorities };
}

function problemWithBuiltIn(change: ProviderChange | null): LayerProblem | undefined {
  if (change === null) return { path: [], message: 'is built in and cannot be removed. Without a key it is not used.' };
  const other = Object.keys(change).find((member) => member !== 'priority');
  if (other === undefined) return undefined;
  return {
    path: [other],
    message: 'is built in: only its priority can be set here. Set its key and address in the environment.',
  };
}

function problemWithOwn(before: CustomProvider | undefined, change: ProviderChange | null): LayerProblem | undefined {
  if (before !== undefined) return undefined;
  if (change === null) return { path: [], message: 'there is no such provider to remove.' };
  if (change.baseUrl === undefined) return { path: [], message: 'needs a baseUrl, because it is not built in.' };
  return undefined;
}

function customProvider(id: string, before: CustomProvider | undefined, change: ProviderChange): CustomProvider {
  const { priority: _priority, ...members } = change;
  const keyVariable = id
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '_')
    .replace(/^(?=\d)/, '_');
  return { id, keyVariable, baseUrl: '', ...before, ...members };
}

/** Without this check, an offer at an unknown provider would never be used, for no visible reason. */
function unknownProviders(
  layer: Layer,
  models: ReadonlyMap<string, Ingredient>,
  known: ReadonlySet<string>,
): LayerProblem[] {
  return Object.keys(layer.models).flatMap((id) =>
    (models.get(id)?.offers ?? [])
      .filter(({ provider }) => !known.has(provider))
      .map(({ provider }) => ({
        path: ['models', id, 'offers', provider],
        message: `there is no provider ${provider}. Add it under providers with a baseUrl.`,
      })),
  );
}

function duplicateNames(layer: Layer, models: ReadonlyMap<string, Ingredient>): LayerProblem[] {
  const owners = new Map<string, string>();
  const problems: LayerProblem[] = [];
  for (const { id, aliases } of models.values()) {
    for (const name of [id, ...aliases]) {
      const owner = owners.get(name);
      const [culprit, other] = Object.hasOwn(layer.models, id) ? [id, owner] : [owner, id];
      if (owner !== undefined && owner !== id) {
        problems.push({ path: ['models', culprit ?? id], message: `${name} is already a name of ${other}.` });
      }
      owners.set(name, id);
    }
  }
  return problems;
}
