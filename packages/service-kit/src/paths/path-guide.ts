import { editDistance } from '../config/nearest.ts';

/** A route that a wrong address may mean. */
export interface KnownRoute {
  /** Absent if the route decides itself which methods it supports. */
  method?: string;
  /** Ids are `{name}`; one at the end matches the rest of a path. */
  path: string;
}

/**
 * What is wrong with the address: something before a path, something missing before it, the end missing, or the
 * spelling, which includes slashes.
 */
type AddressMistake = 'extra_start' | 'missing_start' | 'missing_end' | 'spelling';

/** A route in place of a wrong address. */
interface MeantRoute<Route extends KnownRoute> {
  route: Route;
  /** The path with the ids of the wrong address. */
  path: string;
}

export interface MeantRoutes<Route extends KnownRoute> {
  mistake: AddressMistake;
  /** At least one. All that begin with the address if their end is missing, otherwise the nearest. */
  routes: readonly MeantRoute<Route>[];
}

/** Finds the routes that a wrong address means; `undefined` if none resembles it. */
export type PathGuide<Route extends KnownRoute> = (wrong: Required<KnownRoute>) => MeantRoutes<Route> | undefined;

/** Longer than any address of ours; limits the work for what clients send. */
const mostCharacters = 300;
const mostSegments = 12;

export function createPathGuide<Route extends KnownRoute>(routes: readonly Route[]): PathGuide<Route> {
  const known = routes.map((route) => ({ route, segments: segmentsOf(route.path) }));
  return ({ method, path }) => {
    const wrong = segmentsOf(path.slice(0, mostCharacters));
    if (path.length > mostCharacters || wrong.length > mostSegments) return undefined;
    for (const { mistake, compare } of comparisons) {
      const found = known.flatMap(({ route, segments }) => {
        const likeness = compare(wrong, segments);
        return likeness === undefined ? [] : [{ route, path: pathOf(segments, likeness.ids), steps: likeness.steps }];
      });
      if (found.length === 0) continue;
      return { mistake, routes: mistake === 'missing_end' ? found : nearest(found, method) };
    }
    return undefined;
  };
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

interface Likeness {
  /** The number of differences. */
  steps: number;
  /** The segments of the wrong address beside those of the route, for its ids. */
  ids: readonly string[];
}

type Compare = (wrong: readonly string[], known: readonly string[]) => Likeness | undefined;

/** In this order: the first one that finds a route decides. */
const comparisons: readonly { mistake: AddressMistake; compare: Compare }[] = [
  { mistake: 'spelling', compare: (wrong, known) => (isSame(wrong, known) ? { steps: 0, ids: wrong } : undefined) },
  { mistake: 'extra_start', compare: withoutStart },
  { mistake: 'missing_start', compare: withStart },
  { mistake: 'spelling', compare: misspelt },
  { mistake: 'missing_end', compare: withEnd },
  { mistake: 'spelling', compare: withOtherStart },
];

function withoutStart(wrong: readonly string[], known: readonly string[]): Likeness | undefined {
  for (let steps = 1; steps < wrong.length; steps += 1) {
    const ids = wrong.slice(steps);
    if (isSame(ids, known)) return { steps, ids };
  }
  return undefined;
}

function withStart(wrong: readonly string[], known: readonly string[]): Likeness | undefined {
  for (let steps = 1; steps < known.length; steps += 1) {
    const end = known.slice(steps);
    if (!isId(end[0] ?? '') && isSame(wrong, end)) return { steps, ids: [...known.slice(0, steps), ...wrong] };
  }
  return undefined;
}

function withEnd(wrong: readonly string[], known: readonly string[]): Likeness | undefined {
  const steps = known.length - wrong.length;
  const isStart = wrong.length > 0 && steps > 0 && isSame(wrong, known.slice(0, wrong.length));
  return isStart ? { steps, ids: wrong } : undefined;
}

/** The last two segments are equal: `/openai/deployments/x/chat/completions`. */
function withOtherStart(wrong: readonly string[], known: readonly string[]): Likeness | undefined {
  const end = known.slice(-2);
  const isAlike = known.length > 2 && !end.some(isId) && isSame(wrong.slice(-2), end);
  return isAlike ? { steps: known.length, ids: known } : undefined;
}

function misspelt(wrong: readonly string[], known: readonly string[]): Likeness | undefined {
  if (!haveSameLength(wrong, known)) return undefined;
  let steps = 0;
  for (const [place, name] of known.entries()) {
    const distance = isId(name) ? 0 : misspellingsOf(name, wrong[place]?.toLowerCase() ?? '');
    if (distance === undefined) return undefined;
    steps += distance;
  }
  return { steps, ids: wrong };
}

/** One letter in three may be wrong, at least one, and two may be swapped; `undefined` for more. */
function misspellingsOf(name: string, segment: string): number | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3));
  if (Math.abs(segment.length - name.length) > limit) return undefined;
  const distance = editDistance(segment, name);
  return distance <= limit || (distance === 2 && sorted(segment) === sorted(name)) ? distance : undefined;
}

const sorted = (text: string): string => [...text].toSorted().join('');

const isSame = (wrong: readonly string[], known: readonly string[]): boolean =>
  haveSameLength(wrong, known) &&
  known.every((name, place) => (isId(name) ? fitsId(wrong[place] ?? '', name) : wrong[place]?.toLowerCase() === name));

/** An id at the end of a route has any number of segments. */
const haveSameLength = (wrong: readonly string[], known: readonly string[]): boolean =>
  wrong.length === known.length || (wrong.length > known.length && isWholeId(known.at(-1)));

const isId = (name: string): boolean => name.startsWith('{');
const isWholeId = (name: string | undefined): boolean => name !== undefined && isId(name) && name.endsWith('}');

/** `{id}:countTokens` ends with `:countTokens`. */
const fitsId = (segment: string, name: string): boolean => segment.endsWith(name.slice(name.indexOf('}') + 1));

const pathOf = (known: readonly string[], ids: readonly string[]): string =>
  `/${known.map((name, place) => (isId(name) ? idAt(known, ids, place) : name)).join('/')}`;

function idAt(known: readonly string[], ids: readonly string[], place: number): string {
  const found = place === known.length - 1 ? ids.slice(place) : ids.slice(place, place + 1);
  return found.length === 0 ? (known[place] ?? '') : found.join('/');
}

interface FoundRoute<Route extends KnownRoute> extends MeantRoute<Route> {
  steps: number;
}

/** Those with the fewest differences, of the routes with the method if there are any. */
function nearest<Route extends KnownRoute>(
  found: readonly FoundRoute<Route>[],
  method: string,
): readonly MeantRoute<Route>[] {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const withMethod = found.filter(({ route }) => route.method === undefined || route.method === wanted);
  const chosen = withMethod.length > 0 ? withMethod : found;
  const least = Math.min(...chosen.map(({ steps }) => steps));
  return chosen.filter(({ steps }) => steps === least);
}
