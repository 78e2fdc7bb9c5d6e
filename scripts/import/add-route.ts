import { mostRoutes, routeNameSchema } from '@tallyport/contracts';
import type { Draft, RouteEntry } from './draft.ts';
import type { Path } from './left-over.ts';
import { unusedName } from './secret-names.ts';

const mostTargets = 10;
const mostThen = 5;
const mostConditions = 20;
const mostUse = 5;

/** Adds a route within the bounds of a route. A name that no route can have is changed, and reported. */
export function addRoute({ routes, left }: Draft, name: string, { path, ...route }: RouteEntry & { path: Path }): void {
  const { targets, then = [], when = [] } = route;
  if (routes.size >= mostRoutes) {
    left.add(path, `An account has ${mostRoutes} routes at most.`, 'Divide the models among several accounts.');
    return;
  }
  const firstOf = <Item>(items: readonly Item[], most: number, what: string): Item[] => {
    if (items.length > most) left.add(path, `${what} at most.`, dropped);
    return items.slice(0, most);
  };
  const conditions = firstOf(when, mostConditions, `A route has ${mostConditions} conditions`);
  const allowed = {
    ...route,
    targets: withWeight(firstOf(targets, mostTargets, `A route has ${mostTargets} targets`)),
    ...(then.length > 0 && { then: firstOf(then, mostThen, `A route has ${mostThen} models after its targets`) }),
    ...(when.length > 0 && {
      when: conditions.map((each) => ({
        ...each,
        use: firstOf(each.use, mostUse, `A condition has ${mostUse} models`),
      })),
    }),
  };
  routes.set(nameFor(name, { routes, left, path }), allowed);
}

const dropped = 'The last ones are left out. Choose others, if they matter more.';

/** A route whose weights are all 0 would choose nothing. */
const withWeight = (targets: RouteEntry['targets']): RouteEntry['targets'] =>
  targets.some(({ weight = 1 }) => weight > 0) ? targets : targets.map(({ model }) => ({ model }));

function nameFor(name: string, { routes, left, path }: Pick<Draft, 'routes' | 'left'> & { path: Path }): string {
  if (routeNameSchema.safeParse(name).success && !routes.has(name)) return name;
  const plain =
    name
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 60) || 'route';
  const other = unusedName(routes, plain, '-');
  left.add(
    path,
    'A route has a name of letters, digits, dots, hyphens and underscores that no other has.',
    `Call it ${other}.`,
  );
  return other;
}
