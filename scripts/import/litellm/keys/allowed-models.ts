import type { Draft } from '../../draft.ts';
import type { Path } from '../../left-over.ts';
import type { Row } from './read-dump.ts';
import { listIn } from './row-values.ts';

/** Names that stand for all models of the team, or of the proxy. */
const all = new Set(['all-team-models', 'all-proxy-models', '*']);

/** Projects have no lists of models here, so a key has those of its team. `undefined` are all models. */
export function allowedModels(
  key: Row,
  team: Row | undefined,
  { path, draft }: { path: Path; draft: Draft },
): string[] | undefined {
  const own = namesIn(key);
  const shared = team === undefined ? undefined : namesIn(team);
  const names =
    own === undefined || shared === undefined ? (own ?? shared) : own.filter((name) => shared.includes(name));
  const [pattern] = names?.filter((name) => name.includes('*')) ?? [];
  if (pattern !== undefined) draft.left.add([...path, 'models'], patterns, 'Use allowedProviders, or name the models.');
  const plain = names?.filter((name) => !name.includes('*'));
  return plain && [...new Set(plain.flatMap((name) => namesOf(name, draft)))].slice(0, mostNames);
}

/** A route answers only with models that the key may use. */
function namesOf(name: string, { routes, known }: Draft): string[] {
  const route = routes.get(name);
  if (route === undefined) return [known.named(name)?.id ?? name];
  const conditional = (route.when ?? []).flatMap(({ use }) => use);
  return [name, ...route.targets.map(({ model }) => model), ...(route.then ?? []), ...conditional];
}

const patterns = 'Keys name their models one by one, so a pattern is left out.';

const mostNames = 1_000;

function namesIn(row: Row): string[] | undefined {
  const names = listIn(row, 'models').filter((name) => /^[^\0]{1,200}$/.test(name));
  if (names.length === 0 || names.some((name) => all.has(name))) return undefined;
  return names.filter((name) => name !== 'no-default-models').slice(0, mostNames);
}
