import { posix } from 'node:path';
import { importsOf, readAll } from './sources.ts';
import type { Source } from './sources.ts';

/** File → the files it imports. Type imports count: a type in the wrong file couples two files as much as a value. */
type ImportGraph = ReadonlyMap<string, readonly string[]>;

export function importGraph(sources: readonly Source[]): ImportGraph {
  const entries = packageEntries();
  const paths = new Set(sources.map(({ path }) => path));
  const targets = (source: Source) => importsOf(source).map((name) => entries.get(name) ?? name);
  return new Map(sources.map((source) => [source.path, targets(source).filter((path) => paths.has(path))]));
}

/** `@tallyport/bus` → `packages/bus/src/index.ts`, for every entry of every package and service. */
export function packageEntries(): Map<string, string> {
  const entries = readAll('{packages,services}/*/package.json').flatMap(({ path, text }) => {
    const { name, exports }: { name: string; exports: Record<string, string> } = JSON.parse(text);
    return Object.entries(exports).map(
      ([entry, file]) => [posix.join(name, entry), posix.join(posix.dirname(path), file)] as const,
    );
  });
  return new Map(entries);
}

/** The same graph between rooms: the folders directly in a `src`, and the files beside them. */
export function roomGraph(graph: ImportGraph): ImportGraph {
  const rooms = new Map<string, Set<string>>();
  for (const [path, targets] of graph) {
    const room = roomOf(path);
    const entered = rooms.get(room) ?? new Set<string>();
    rooms.set(room, entered);
    for (const target of targets.map(roomOf)) if (target !== room) entered.add(target);
  }
  return new Map([...rooms].map(([room, entered]) => [room, [...entered]]));
}

const roomOf = (path: string): string => /^\w+\/[^/]+\/src\/[^/]+/.exec(path)?.[0] ?? path;

/** The shortest circle of every group of files that all reach each other. Its first file is also its last. */
export const circlesIn = (graph: ImportGraph): string[][] =>
  connectedGroups(graph)
    .filter((group) => group.length > 1 || graph.get(group[0] ?? '')?.includes(group[0] ?? ''))
    .map((group) => shortestCircle(graph, group))
    .toSorted(([a = ''], [b = '']) => a.localeCompare(b));

/** Tarjan's strongly connected components. */
function connectedGroups(graph: ImportGraph): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const groups: string[][] = [];
  const visit = (path: string): number => {
    const own = order.size;
    order.set(path, own);
    open.push(path);
    let lowest = own;
    for (const target of graph.get(path) ?? []) {
      if (!order.has(target)) lowest = Math.min(lowest, visit(target));
      else if (open.includes(target)) lowest = Math.min(lowest, order.get(target) ?? own);
    }
    if (lowest === own) groups.push(open.splice(open.indexOf(path)));
    return lowest;
  };
  for (const path of graph.keys()) if (!order.has(path)) visit(path);
  return groups;
}

/** Searches breadth first, from the first file of the group back to itself. */
function shortestCircle(graph: ImportGraph, group: readonly string[]): string[] {
  const [start = ''] = group.toSorted();
  const previous = new Map<string, string>();
  const queue = [start];
  for (const path of queue) {
    for (const target of graph.get(path) ?? []) {
      if (!group.includes(target) || previous.has(target)) continue;
      previous.set(target, path);
      queue.push(target);
    }
  }
  const circle = [start];
  do circle.unshift(previous.get(circle[0] ?? '') ?? start);
  while (circle[0] !== start);
  return circle;
}
