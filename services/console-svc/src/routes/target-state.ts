import type { Route } from '@tallyport/contracts';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';

/** Why a model of a route cannot be called now, in short; `undefined` if it can. The page of the model says more. */
type Obstacle = 'unknown model' | 'not callable' | undefined;

export type Obstacles = ReadonlyMap<string, Obstacle>;

/** Every model that a route names, once. */
export const modelsOf = ({ targets, then, when }: Route): string[] => [
  ...new Set([...targets.map(({ model }) => model), ...when.flatMap(({ use }) => use), ...then]),
];

/** The models of routes, as the person may call them. A route is no target. */
export function obstaclesOf(routes: readonly Route[], models: readonly CatalogueModel[]): Obstacles {
  const known = new Map(
    models.flatMap((model) => (model.route ? [] : [model.id, ...model.aliases].map((name) => [name, model] as const))),
  );
  return new Map(routes.flatMap(modelsOf).map((name) => [name, obstacleOf(name, known)]));
}

function obstacleOf(name: string, known: ReadonlyMap<string, CatalogueModel>): Obstacle {
  const whole = known.get(name);
  if (whole !== undefined) return whole.available ? undefined : 'not callable';
  const slash = name.indexOf('/');
  const provider = name.slice(0, Math.max(slash, 0));
  const offer = known.get(name.slice(slash + 1))?.providers.find(({ providerId }) => providerId === provider);
  if (offer === undefined) return 'unknown model';
  return offer.available ? undefined : 'not callable';
}
