import type { Draft, RouteEntry } from '../draft.ts';
import type { Path } from '../left-over.ts';
import { addRoute } from '../add-route.ts';
import { type StandInSources, standInsOf, type Fallbacks } from './fallbacks.ts';
import type { Group } from './groups.ts';
import type { Router } from './router.ts';

/** Adds a route for each group and alias that is more than a model. */
export function addRoutes(groups: ReadonlyMap<string, Group>, router: Router, draft: Draft): void {
  const { aliases } = router;
  const resolve = (name: string): string => resolveAlias(name, aliases);
  for (const group of groups.values()) {
    const route = routeOf(group, router, { groups, resolve, draft });
    if (!group.isModel || Object.keys(route).length > 1) addRoute(draft, group.name, { ...route, path: group.path });
  }
  for (const [alias, name] of aliases) {
    const path = ['router_settings', 'model_group_alias', alias];
    const group = groups.get(resolve(name));
    if (group === undefined)
      draft.left.add(path, 'It names a model that the file does not have.', 'Correct it and import again.');
    else addRoute(draft, alias, { ...routeOf(group, router, { groups, resolve, draft }), path });
  }
}

function resolveAlias(name: string, aliases: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let now = name;
  for (let next = aliases.get(now); next !== undefined && !seen.has(now); next = aliases.get(now)) {
    seen.add(now);
    now = next;
  }
  return now;
}

type Sources = Omit<StandInSources, 'fallbacks'>;

function routeOf(group: Group, { general, context, content }: Router, sources: Sources): RouteEntry {
  const { name, targets, spare } = group;
  const own = [...targets.map(({ model }) => model), ...spare];
  const standIns = (fallbacks: Fallbacks): string[] => standInsOf(name, { ...sources, fallbacks }, own);
  const after = standIns(general);
  const filtered = standIns(content).filter((model) => !after.includes(model));
  if (filtered.length > 0)
    sources.draft.left.add(content.get(name)?.path ?? [], oneList, 'Nothing, if that is all right.');
  const then = [...new Set([...spare, ...after, ...filtered])];
  const longer = standIns(context).filter((model) => !then.includes(model));
  const when =
    longer.length === 0
      ? undefined
      : longPrompts(group, longer, { path: context.get(name)?.path ?? [], draft: sources.draft });
  return {
    targets,
    ...(then.length > 0 && { then }),
    ...(when && { when }),
    ...(after.length + filtered.length > 0 && { onContentFilter: 'next' as const }),
  };
}

const oneList = 'A route has one list of stand-ins, so these models are also asked after other failures.';

/** The next model of a route is asked anyway if a prompt is too long, so only models that are for nothing else need a condition. */
function longPrompts(
  { contextLength }: Group,
  use: readonly string[],
  { path, draft }: { path: Path; draft: Draft },
): RouteEntry['when'] {
  if (contextLength !== undefined) return [{ if: `request.tokens > ${contextLength}`, use: [...use] }];
  draft.left.add(
    path,
    'How long a prompt may be is not known.',
    'Write a condition: request.tokens > … (docs/routing.md).',
  );
  return undefined;
}
