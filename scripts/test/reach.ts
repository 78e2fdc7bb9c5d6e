import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { importGraph } from '../../tests/structure/circles.ts';
import { root, type Source, wholeTree } from '../../tests/structure/sources.ts';

/** File → the files from which it is made: imports, and for most tests also the programs that they start. */
type Graph = ReadonlyMap<string, readonly string[]>;

export const isTest = (path: string): boolean => /\.test\.(ts|mjs)$/.test(path);
export const isLong = (path: string): boolean => path.includes('.long.test.');

/** All tests that `npm run test:long` runs. */
export const longTests = (): string[] =>
  globSync('{packages,services,scripts,tests}/**/*.long.test.{ts,mjs}', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  }).toSorted();

/** The other tests that have a whole scale, at which only `npm run test:long` runs them. */
export const scaledTests = (): string[] =>
  testsReachedBy(['tests/support/scale.ts'], wholeTree()).filter((path) => !isLong(path));

/** The tests that the changes since a commit reach, with files that are not committed. The checks are no part of it. */
export async function reachedTests(commit: string): Promise<string[]> {
  const changed = [
    ...(await git('diff', '--name-only', commit)),
    ...(await git('ls-files', '--others', '--exclude-standard')),
  ];
  return testsReachedBy(changed, wholeTree());
}

async function git(...args: string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return stdout.split('\n').filter(Boolean);
}

/** The tests among these sources that a change of these files reaches. */
export function testsReachedBy(changed: readonly string[], sources: readonly Source[]): string[] {
  const touched = touchedBy(changed, sources);
  const imports = importGraph(sources);
  const usual = reachedFrom(touched, withPrograms(imports, sources));
  // A long test starts the whole gateway, which is made of every file, so it names the folders that it is about.
  const long = reachedFrom(touched, withSubjects(imports, sources));
  return sources
    .map(({ path }) => path)
    .filter((path) => isTest(path) && !path.startsWith('tests/structure/'))
    .filter((path) => (isLong(path) ? long : usual).has(path));
}

/**
 * The sources that a change touches. A file that is no source, such as data or a document, touches the sources that name
 * it; if there are none, those beside the closest folder: a change of a lock file touches everything.
 */
function touchedBy(changed: readonly string[], sources: readonly Source[]): Set<string> {
  const paths = new Set(sources.map(({ path }) => path));
  return new Set(changed.flatMap((path) => (paths.has(path) ? [path] : around(path, sources))));
}

function around(path: string, sources: readonly Source[]): string[] {
  const naming = sources.filter(({ text }) => text.includes(path)).map((source) => source.path);
  if (naming.length > 0) return naming;
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const below = folder === '.' ? sources : sources.filter((source) => source.path.startsWith(`${folder}/`));
    if (below.length > 0) return below.map((source) => source.path);
  }
}

/** Every file from which one of the touched files can be reached. */
function reachedFrom(touched: ReadonlySet<string>, graph: Graph): Set<string> {
  const users = new Map<string, string[]>();
  for (const [path, targets] of graph) for (const target of targets) append(users, target, path);
  const reached = new Set(touched);
  for (const path of reached) for (const user of users.get(path) ?? []) reached.add(user);
  return reached;
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** This file starts each service by its name. */
const startsEveryService = 'scripts/distributed/start.ts';

/** Adds the programs that a file starts: those that a text in it names. */
function withPrograms(graph: Graph, sources: readonly Source[]): Graph {
  const paths = new Set(sources.map(({ path }) => path));
  const mains = [...paths].filter((path) => /^services\/[^/]+\/src\/main\.ts$/.test(path));
  return new Map(
    sources.map(({ path, text }) => [
      path,
      [
        ...(graph.get(path) ?? []),
        ...[...text.matchAll(/['"`]([\w./-]+\.(?:ts|mjs))['"`]/g)].flatMap(([, name = '']) => {
          const relative = posix.join(posix.dirname(path), name);
          return [name, relative].filter((candidate) => paths.has(candidate));
        }),
        ...(path === startsEveryService ? mains : []),
      ],
    ]),
  );
}

/** Adds to each long test the files of the folders it is about. */
const withSubjects = (graph: Graph, sources: readonly Source[]): Graph =>
  new Map(
    sources.map((source) => [
      source.path,
      [...(graph.get(source.path) ?? []), ...(isLong(source.path) ? filesBelow(subjectsOf(source), sources) : [])],
    ]),
  );

const filesBelow = (folders: readonly string[], sources: readonly Source[]): string[] =>
  sources
    .map(({ path }) => path)
    .filter((path) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`)));

/** The folders and files that a long test names in the line `About: packages/bus, services/ledger-svc/src/usage.` */
export const subjectsOf = ({ text }: Pick<Source, 'text'>): string[] =>
  /\bAbout: ([\w./, \n*-]+?)\.(?:\s|$)/
    .exec(text)?.[1]
    ?.split(/[,\s*]+/)
    .filter(Boolean) ?? [];
