import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { services } from '@tallyport/contracts';
import { childrenOf, isNode, nodesIn, nameOf, type SyntaxNode, syntaxOf } from '../../scripts/texts/syntax.ts';
import { packageEntries } from './circles.ts';
import { root } from './sources.ts';

/**
 * The operations that the program of a service uses through clients of contracts, as `auth.authenticate`, found in all
 * modules that it imports. A client has the name of its contract, or `client` for a service's own.
 */
export function usesInSources(service: string): string[] {
  const files = modulesOf(`services/${service}/src/main.ts`);
  const used = [...files.values()].flatMap((tree) => usesIn(tree, service.replace('-svc', '')));
  return [...new Set(used)].toSorted();
}

const operations = new Map<string, ReadonlySet<string>>(
  services.map((contract) => [contract.name, new Set(Object.keys(contract.operations))]),
);

function usesIn(node: SyntaxNode, own: string): string[] {
  const below = childrenOf(node).flatMap((child) => usesIn(child, own));
  if (node.type === 'MemberExpression') return [...below, ...used(node['object'], [nameOf(node)], own)];
  if (node.type !== 'VariableDeclarator' || !isNode(node['id']) || node['id'].type !== 'ObjectPattern') return below;
  const names = nodesIn(node['id']['properties']).map(({ key }) => nameOf(key));
  return [...below, ...used(node['init'], names, own)];
}

function used(client: unknown, names: readonly string[], own: string): string[] {
  const contract = contractOf(client, own);
  return names.filter((name) => operations.get(contract)?.has(name)).map((name) => `${contract}.${name}`);
}

/** The contract of `auth`, `services.auth`, `client` and `createClient(link, authService)`. */
function contractOf(client: unknown, own: string): string {
  if (!isNode(client)) return '';
  if (client.type !== 'CallExpression') return nameOf(client) === 'client' ? own : nameOf(client);
  const [, contract] = nodesIn(client['arguments']);
  return nameOf(client['callee']) === 'createClient' ? nameOf(contract).replace(/Service$/, '') : '';
}

/** A module, and the names that are imported from it; `undefined` for all. */
interface Wanted {
  path: string;
  names: readonly string[] | undefined;
}

/** The syntax trees of a module and all modules it imports from this repository, by path. */
function modulesOf(start: string): ReadonlyMap<string, SyntaxNode> {
  const entries = packageEntries();
  const modules = new Map<string, SyntaxNode>();
  const waiting: Wanted[] = [{ path: start, names: undefined }];
  for (const { path, names } of waiting) {
    const isIndex = path.endsWith('/index.ts');
    if (modules.has(path) && !isIndex) continue;
    const tree = modules.get(path) ?? parsed(path);
    modules.set(path, tree);
    const imports = importsIn(tree).flatMap(({ from, exported, names: imported }) => {
      const target = from.startsWith('.') ? join(dirname(path), from) : entries.get(from);
      const wanted = !isIndex || names === undefined || exported.some((name) => names.includes(name));
      return target?.endsWith('.ts') && wanted ? [{ path: target, names: imported }] : [];
    });
    waiting.push(...imports.filter((each) => !waiting.some((known) => isSame(known, each))));
  }
  return modules;
}

/** Services share most of their modules. */
const trees = new Map<string, SyntaxNode>();

function parsed(path: string): SyntaxNode {
  const tree = trees.get(path) ?? syntaxOf(readFileSync(join(root, path), 'utf8'));
  trees.set(path, tree);
  return tree;
}

const isSame = (one: Wanted, other: Wanted): boolean =>
  one.path === other.path && String(one.names) === String(other.names);

interface Import {
  from: string;
  /** The names under which a module exports it again. */
  exported: readonly string[];
  names: readonly string[] | undefined;
}

/** Imports and exports of other modules' values; types are not in the program. */
function importsIn(tree: SyntaxNode): Import[] {
  const statements = nodesIn(tree['body']).filter(
    ({ source, importKind, exportKind }) => isNode(source) && importKind !== 'type' && exportKind !== 'type',
  );
  return statements.flatMap(({ source, specifiers }) => {
    const values = nodesIn(specifiers).filter(
      ({ importKind, exportKind }) => ![importKind, exportKind].includes('type'),
    );
    const whole = values.some(({ imported, local, type }) => !(type === 'ExportSpecifier' ? local : imported));
    const names = values.map(({ imported, local }) => nameOf(imported ?? local));
    const exported = values.map(({ exported: name }) => nameOf(name));
    if (values.length === 0 && nodesIn(specifiers).length > 0) return [];
    return [{ from: nameOf(source), exported, names: whole || values.length === 0 ? undefined : names }];
  });
}
