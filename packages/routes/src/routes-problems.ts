import type { Routes } from '@tallyport/contracts';
import { checkRoute } from './compile.ts';

interface RoutesProblem {
  /** The members from the name of the route inwards. */
  path: (string | number)[];
  message: string;
}

/** What is wrong with the routes of a document besides their shape. */
export const routesProblems = (routes: Routes): RoutesProblem[] =>
  Object.entries(routes).flatMap(([name, route]) =>
    checkRoute(route).map(({ param, message }) => ({ path: [name, ...membersOf(param)], message })),
  );

const membersOf = (param: string): (string | number)[] =>
  (param.match(/[^.[\]]+/g) ?? []).map((member) => (/^\d+$/.test(member) ? Number(member) : member));
