import type { Model, Route, Routes } from '@tallyport/contracts';
import { findModel, type ModelIndex } from '@tallyport/dispatch';
import type { ShownModel } from './shown-model.ts';

/** The routes as models. One without a model in the catalogue is left out, because it cannot be called. */
export const listedRoutes = (routes: Routes, index: ModelIndex): ShownModel[] =>
  Object.entries(routes).flatMap(([name, route]) => listedRoute(name, route, index) ?? []);

/**
 * What holds for every target holds for the route; for every other model of it, if the catalogue has no target of it.
 * `undefined` if it has neither.
 */
export function listedRoute(name: string, route: Route, index: ModelIndex): ShownModel | undefined {
  const known = (names: readonly string[]): Model[] => names.flatMap((each) => targetOf(each, index) ?? []);
  const named = known(route.targets.map(({ model }) => model));
  const others = known([...route.when.flatMap(({ use }) => use), ...route.then]);
  const targets = named.length > 0 ? named : others;
  const [first] = targets;
  if (first === undefined) return undefined;
  const all = (holds: (model: Model) => boolean): boolean => targets.every(holds);
  const moderated = targets.some((model) => model.moderated === true);
  return {
    id: name,
    name,
    aliases: [],
    created: Math.max(...targets.map(({ created }) => created)),
    description: route.description ?? `A route to ${route.targets.map(({ model }) => model).join(', ')}.`,
    family: 'route',
    inputModalities: common(targets, 'inputModalities'),
    outputModalities: common(targets, 'outputModalities'),
    ...smallest(targets, 'contextLength'),
    ...smallest(targets, 'maxOutput'),
    ...(all(({ tokenizer }) => tokenizer === first.tokenizer) && first.tokenizer && { tokenizer: first.tokenizer }),
    ...(moderated && { moderated }),
    jsonOutput: all(({ jsonOutput }) => jsonOutput),
    structuredOutputs: all(({ structuredOutputs }) => structuredOutputs),
    free: all(({ free }) => free),
    stability: all(({ stability }) => stability === first.stability) ? first.stability : 'stable',
    supportedParameters: common(targets, 'supportedParameters'),
    offers: [...new Set([...targets, ...others].flatMap(({ offers }) => offers))],
    targets,
    others,
  };
}

/** A target may name one provider of a model. */
function targetOf(name: string, index: ModelIndex): Model | undefined {
  const found = findModel(name, index);
  if (found?.providerId === undefined) return found?.model;
  return { ...found.model, offers: found.model.offers.filter(({ providerId }) => providerId === found.providerId) };
}

type ListMember = 'inputModalities' | 'outputModalities' | 'supportedParameters';

const common = ([first, ...others]: readonly Model[], member: ListMember): string[] =>
  (first?.[member] ?? []).filter((each) => others.every((model) => model[member].includes(each)));

function smallest<Limit extends 'contextLength' | 'maxOutput'>(
  targets: readonly Model[],
  limit: Limit,
): { [Name in Limit]?: number } {
  const known = targets.flatMap((model) => model[limit] ?? []);
  return known.length === 0 ? {} : ({ [limit]: Math.min(...known) } as { [Name in Limit]?: number });
}
