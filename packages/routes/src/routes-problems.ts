import type { Route, Routes } from '@tallyport/contracts';
import { checkRoute } from './compile.ts';

interface RoutesProblem {
  /** The members from the name of the route inwards. */
  path: (string | number)[];
  message: string;
}

/** What is wrong with the routes of a document besides their shape. */
export const routesProblems = (routes: Routes): RoutesProblem[] =>
  Object.entries(routes).flatMap(([name, route]) => [
    ...checkRoute(route).map(({ param, message }) => ({ path: [name, ...membersOf(param)], message })),
    ...modelsWithPlaces(route)
      .filter(({ model }) => isOnlyRoute(model, routes))
      .map(({ path, model }) => ({ path: [name, ...path], message: namesRoute(model) })),
  ]);

/** A route may have the name of a model. It is known to be one if the route itself names it. */
function isOnlyRoute(name: string, routes: Routes): boolean {
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
  return route !== undefined && !modelsWithPlaces(route).some(({ model }) => model === name);
}

const namesRoute = (model: string): string =>
  `'${model}' is a route, and a route names models. Name a model, or one at a provider: openai/gpt-6-luna.`;

interface PlacedModel {
  path: (string | number)[];
  model: string;
}

/** Every model that a route names, with the members that lead to it. */
export const modelsWithPlaces = ({ targets, then, when, shadow }: Route): PlacedModel[] => [
  ...targets.map(({ model }, at) => ({ path: ['targets', at, 'model'], model })),
  ...then.map((model, at) => ({ path: ['then', at], model })),
  ...when.flatMap(({ use }, at) => use.map((model, nth) => ({ path: ['when', at, 'use', nth], model }))),
  ...(shadow === undefined ? [] : [{ path: ['shadow', 'model'], model: shadow.model }]),
];

const membersOf = (param: string): (string | number)[] =>
  (param.match(/[^.[\]]+/g) ?? []).map((member) => (/^\d+$/.test(member) ? Number(member) : member));
