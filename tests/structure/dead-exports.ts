import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { packageEntries } from './circles.ts';
import type { Source } from './sources.ts';

/** What a file exports and imports by name, with files as paths from the repository's root. */
interface FileNames {
  /** Names that it declares. */
  readonly declared: Set<string>;
  /** Name → the file and name that it passes on. */
  readonly passedOn: Map<string, NamedExport>;
  /** Files of which it passes on everything. */
  readonly passedOnWhole: string[];
  readonly imported: NamedExport[];
}

/** An export by its name; without one, all exports of the file. */
interface NamedExport {
  readonly file: string;
  readonly name?: string;
}

/** Exports that no other file imports, as `path: name`. What an index passes on is in use if its name is imported. */
export function deadExports(sources: readonly Source[]): string[] {
  const entries = packageEntries();
  const files = new Map(sources.map((source) => [source.path, namesOf(source, entries)]));
  const used = new Set<string>();
  const use = ({ file, name }: NamedExport): void => {
    const names = files.get(file);
    if (names === undefined) return;
    if (name === undefined) {
      for (const each of [...names.declared, ...names.passedOn.keys()]) use({ file, name: each });
      for (const each of names.passedOnWhole) use({ file: each });
      return;
    }
    const key = `${file}: ${name}`;
    if (used.has(key)) return;
    used.add(key);
    const origin = names.passedOn.get(name);
    if (origin !== undefined) use(origin);
    else if (!names.declared.has(name)) for (const each of names.passedOnWhole) use({ file: each, name });
  };
  for (const { imported } of files.values()) for (const each of imported) use(each);
  const all = [...files].flatMap(([file, { declared, passedOn }]) =>
    [...declared, ...passedOn.keys()].map((name) => `${file}: ${name}`),
  );
  return all.filter((key) => !used.has(key));
}

function namesOf({ path, text }: Source, entries: ReadonlyMap<string, string>): FileNames {
  const { module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const fileOf = (request: string): string =>
    request.startsWith('.') ? posix.join(posix.dirname(path), request) : (entries.get(request) ?? request);
  const names: FileNames = { declared: new Set(), passedOn: new Map(), passedOnWhole: [], imported: [] };
  for (const { moduleRequest, entries: imports } of module.staticImports) {
    const file = fileOf(moduleRequest.value);
    for (const { importName } of imports) names.imported.push(namedExport(file, importName));
  }
  for (const { exportName, importName, moduleRequest } of module.staticExports.flatMap(({ entries: each }) => each)) {
    const file = moduleRequest && fileOf(moduleRequest.value);
    if (file === null) names.declared.add(exportName.name ?? 'default');
    else if (exportName.name === null) names.passedOnWhole.push(file);
    else names.passedOn.set(exportName.name, namedExport(file, importName));
  }
  // An import in an expression or a type may use all of it.
  for (const [, request = ''] of text.matchAll(/\bimport\(\s*'([^'\n]+)'/g))
    names.imported.push({ file: fileOf(request) });
  return names;
}

function namedExport(file: string, { kind, name }: { kind: string; name: string | null }): NamedExport {
  if (kind === 'Default') return { file, name: 'default' };
  return name === null ? { file } : { file, name };
}
