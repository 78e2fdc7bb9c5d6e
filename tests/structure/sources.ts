import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

export interface Source {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file of packages and services that runs in production. */
export const productionSources = (): Source[] => allSources().filter(isProduction);

export const isProduction = ({ path }: Source): boolean =>
  /^(packages|services)\//.test(path) && !/\.(test|suite)\.ts$|\/testing\//.test(path);

const allSources = (): readonly Source[] => readAll('{packages,services}/*/src/**/*.ts');

/** All code: packages, services, tests, benches, scripts and deploy. */
export const wholeTree = (): Source[] => [
  ...allSources(),
  ...readAll('{bench,deploy,scripts,tests}/**/*.{ts,mjs,mts}'),
];

/** The tests of a worker share what it has read: no file changes during a run. */
const read = new Map<string, readonly Source[]>();

export function readAll(pattern: string): readonly Source[] {
  const known = read.get(pattern);
  if (known !== undefined) return known;
  const sources = globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/data/**'] })
    .toSorted()
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }));
  read.set(pattern, sources);
  return sources;
}

/** `packages/bus` of `packages/bus/src/link.ts`. */
export const homeOf = (path: string): string => path.split('/').slice(0, 2).join('/');

/** Distinguishes paths from the repository's root from package names. */
export const isOwnPath = (name: string): boolean => /^(packages|services|tests|bench|deploy|scripts|docs)\//.test(name);

/** All imports of a file: package names, `node:` modules, or paths from the repository's root. */
export function importsOf({ path, text }: Source): string[] {
  const statements = text.matchAll(/^(?:import|export)\s(?:[^;'"`]*?\sfrom\s+)?'([^'\n]+)'/gm);
  const calls = text.matchAll(/\bimport\(\s*'([^'\n]+)'/g);
  const names = [...statements, ...calls].map(([, name = '']) => name);
  return names.map((name) => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name));
}

/** `@scope/name` of `@scope/name/deep/path`. */
export const packageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/');

/** The lines of a file without comments, because the rules are about code. */
function codeLines({ text }: Source): { line: number; code: string }[] {
  const withoutBlocks = text.replaceAll(/\/\*[\s\S]*?\*\//g, (block) => block.replaceAll(/[^\n]/g, ''));
  return withoutBlocks.split('\n').map((code, index) => ({ line: index + 1, code: code.replace(/(^|\s)\/\/.*$/, '') }));
}

/** Every occurrence of the pattern in the code of these files, as `path:line code`. */
export function occurrences(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap((source) =>
    codeLines(source)
      .filter(({ code }) => pattern.test(code))
      .map(({ line, code }) => `${source.path}:${line} ${code.trim()}`),
  );
}
