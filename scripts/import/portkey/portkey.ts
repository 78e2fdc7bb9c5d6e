import { routeHeaderPrefix } from '@tallyport/contracts';
import { addRoute } from '../add-route.ts';
import { type Draft, type RouteEntry, setCacheTtl, startDraft } from '../draft.ts';
import type { KnownModels } from '../known-models.ts';
import type { Path } from '../left-over.ts';
import type { Members } from '../members.ts';
import { nameSecrets } from '../secret-names.ts';
import { conditionOf, NoCondition } from './condition.ts';
import { openConfig } from './open-config.ts';
import { type Choice, type Conditional, isConditional, modelsOf, readPart } from './tree.ts';

/** Turns a config of Portkey into a draft with a route of this name. */
export function importPortkey(config: unknown, { known, name }: { known: KnownModels; name: string }): Draft {
  const draft = startDraft(known);
  const root = openConfig(config, [], draft.left);
  readCache(root, draft);
  // Portkey has no references to variables.
  const secrets = nameSecrets(draft.left, () => undefined);
  const part = readPart(root, { draft, secrets, name });
  if (isConditional(part)) addConditional(part, name, draft);
  else if (part.targets.length > 0) addRoute(draft, name, { ...routeOf(part), path: [] });
  return draft;
}

const routeOf = ({ targets, then }: Choice): RouteEntry => ({ targets, ...(then.length > 0 && { then }) });

/** A condition on the requested model becomes a route of that name; the others are conditions of one route. */
function addConditional({ path, conditions, otherwise, choices }: Conditional, name: string, draft: Draft): void {
  const when: NonNullable<RouteEntry['when']> = [];
  for (const { query, target, path: place } of conditions) {
    const choice = target === undefined ? undefined : choices.get(target);
    const model = modelIn(query);
    if (choice === undefined || choice.targets.length === 0)
      draft.left.add(place, noTarget, 'Correct it and import again.');
    else if (model !== undefined) addRoute(draft, model, { ...routeOf(choice), path: place });
    else addCondition(when, { query, use: modelsOf(choice), place, draft });
  }
  const first = choices.get(otherwise ?? '');
  if (first !== undefined && first.targets.length > 0) {
    addRoute(draft, name, { ...routeOf(first), ...(when.length > 0 && { when }), path });
  } else if (when.length > 0)
    draft.left.add(path, 'A route has targets for requests that meet no condition.', 'Set strategy.default.');
}

const noTarget = 'No target has its name and a model.';

/** The model, if a query asks for nothing else. */
function modelIn(query: unknown): string | undefined {
  const [[key, test] = [], ...others] = Object.entries(Object(query));
  if (key !== 'params.model' || others.length > 0) return undefined;
  const value: unknown =
    typeof test === 'object' && test !== null && Object.keys(test).join() === '$eq' ? Reflect.get(test, '$eq') : test;
  return typeof value === 'string' ? value : undefined;
}

interface NewCondition {
  query: unknown;
  use: string[];
  place: Path;
  draft: Draft;
}

const mostCharacters = 500;

function addCondition(
  when: NonNullable<RouteEntry['when']>,
  { query, use, place, draft: { left } }: NewCondition,
): void {
  const headers = new Set<string>();
  const headerOf = (key: string): string => {
    const header = `${routeHeaderPrefix}${key.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
    headers.add(header);
    return header;
  };
  try {
    const text = conditionOf(query, headerOf);
    if (text.length > mostCharacters) throw new NoCondition(`A condition has ${mostCharacters} characters at most.`);
    when.push({ if: text, use });
    if (headers.size > 0)
      left.add(place, noMetadata, `Send it as a header: ${[...headers].join(', ')} (docs/routing.md).`);
  } catch (error) {
    if (!(error instanceof NoCondition)) throw error;
    left.add([...place, 'query'], error.message, 'Write a condition of the route (docs/routing.md).');
  }
}

const noMetadata = 'Requests have no metadata that a condition can see.';

function readCache(root: Members, draft: Draft): void {
  const cache = openConfig(root.value('cache'), ['cache'], draft.left);
  const mode = cache.text('mode');
  const seconds = cache.number('max_age');
  if (mode === 'semantic') draft.left.add(['cache', 'mode'], 'Answers are cached by equality only.', '');
  if (seconds !== undefined) setCacheTtl(draft, seconds);
  cache.leaveRest();
}
