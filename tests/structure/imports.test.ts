import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allowedImports, impureModules } from './imports.ts';
import type { Allowed } from './imports.ts';
import { homeOf, importsOf, isOwnPath, packageOf, productionSources, root, wholeTree } from './sources.ts';
import type { Source } from './sources.ts';

const sources = productionSources();
const byHome = Map.groupBy(sources, ({ path }) => homeOf(path));

describe('imports', () => {
  test('every package and service has an entry in the table', () => {
    expect([...new Set(sources.map(({ path }) => homeOf(path)))].filter((home) => !allowedImports[home])).toEqual([]);
  });

  test.for(Object.entries(allowedImports))('%s imports only what the table allows', ([home, allowed]) => {
    const own = sources.filter(({ path }) => path.startsWith(`${home}/`));
    expect(own.flatMap((source) => violationsOf(source, allowed))).toEqual([]);
  });

  test('a package imports only what its own package.json declares', () => {
    const undeclared = [...byHome].flatMap(([home, files]) => {
      const declared = declaredBy(home);
      return files.flatMap((source) => undeclaredImportsOf(source, declared));
    });
    expect(undeclared).toEqual([]);
  });

  test('a package declares only what it imports', () => {
    const unused = [...byHome].flatMap(([home, files]) => {
      const names = new Set(files.flatMap((source) => importsOf(source).map(packageOf)));
      return declaredBy(home).flatMap((name) => (names.has(name) ? [] : [`${home} declares ${name}`]));
    });
    expect(unused).toEqual([]);
  });

  test('only the composition of a process imports a module.ts', () => {
    const importing = wholeTree().filter((source) => importsOf(source).some((name) => name.endsWith('/src/module.ts')));
    expect(
      importing.map(({ path }) => path).filter((path) => !composes.test(path)),
      'Move the imported code from module.ts into a separate file.',
    ).toEqual([]);
  });
});

/** The start of a service, commands that run it briefly, all-in-one, tests and benches. */
const composes =
  /^(services\/([^/]+\/src\/(main|(commands\/)?open-administration)\.ts|all-in-one\/)|tests\/|bench\/)|\/testing\/|\.test\.ts$/;

function violationsOf(source: Source, allowed: Allowed): string[] {
  return importsOf(source)
    .filter((name) => !mayImport(source.path, name, allowed))
    .map((name) => `${source.path} imports ${name}`);
}

function mayImport(path: string, name: string, allowed: Allowed): boolean {
  if (name.startsWith('node:')) return !(allowed.pure && impureModules.test(name));
  if (isOwnPath(name)) return homeOf(name) === homeOf(path);
  if (name.startsWith('@tallyport/')) {
    return allowed.packages.includes(packageOf(name).slice('@tallyport/'.length)) && !name.endsWith('/testing');
  }
  const where = allowed.outside[packageOf(name)];
  return where !== undefined && path.startsWith(`${homeOf(path)}/src/${where}`);
}

function declaredBy(home: string): string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, home, 'package.json'), 'utf8'));
  return Object.keys(dependencies);
}

function undeclaredImportsOf(source: Source, declared: readonly string[]): string[] {
  return importsOf(source)
    .filter((name) => !name.startsWith('node:') && !isOwnPath(name))
    .filter((name) => !declared.includes(packageOf(name)))
    .map((name) => `${source.path} imports ${name}, which ${homeOf(source.path)}/package.json does not declare`);
}
