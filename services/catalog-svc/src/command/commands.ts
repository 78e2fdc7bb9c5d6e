import { readFile } from 'node:fs/promises';
import type { CatalogueOverride, StoredOverride } from '@tallyport/contracts';
import { StartError } from '@tallyport/service-kit';
import { z } from 'zod';
import type { CatalogueAdministration } from './administration.ts';
import { pricesCommand } from './prices.ts';
import { refresh } from './refresh.ts';

export const catalogueUsage = `Usage:
  npm run catalog -- list                               list all changes
  npm run catalog -- set model|provider <id> <json>     make a change, with the members of tallyport.yaml; @file reads a file
  npm run catalog -- remove model|provider <id>         remove a change
  npm run catalog -- refresh <file or URL> [--apply]    show how a models.dev document differs; --apply stores it
  npm run catalog -- prices [--since <date>] [--json]   show which prices have changed and will change; 90 days when absent
  npm run catalog -- prices --version <v> [--json]      show the prices of a version that records name
`;

/** Runs and resolves with the output. */
type CatalogueCommand = (catalogue: CatalogueAdministration) => Promise<string>;

/** Parses a command; `undefined` if it is not valid. */
export function catalogueCommand([verb = '', ...rest]: readonly string[]): CatalogueCommand | undefined {
  return Object.hasOwn(commands, verb) ? commands[verb]?.(rest) : undefined;
}

const commands: Readonly<Record<string, (words: readonly string[]) => CatalogueCommand | undefined>> = {
  list: (words) => (words.length === 0 ? list : undefined),
  set([kind, id, json, ...more]) {
    const name = nameOf(kind, id);
    if (name === undefined || json === undefined || more.length > 0) return undefined;
    return (catalogue) => set(catalogue, name, json);
  },
  remove([kind, id, ...more]) {
    const name = nameOf(kind, id);
    return name === undefined || more.length > 0 ? undefined : (catalogue) => remove(catalogue, name);
  },
  refresh: refreshCommand,
  prices: pricesCommand,
};

function nameOf(kind: string | undefined, id = ''): Name | undefined {
  return (kind === 'model' || kind === 'provider') && id !== '' ? { kind, id } : undefined;
}

function refreshCommand(words: readonly string[]): CatalogueCommand | undefined {
  const [place, ...rest] = words.filter((word) => word !== '--apply');
  if (place === undefined || rest.length > 0) return undefined;
  return (catalogue) => refresh(catalogue, place, words.includes('--apply'));
}

async function list(catalogue: CatalogueAdministration): Promise<string> {
  const { overrides } = await catalogue.listOverrides({});
  if (overrides.length === 0) return 'There are no changes. Make one: npm run catalog -- set model <id> <json>\n';
  return overrides.map(line).join('');
}

const line = ({ kind, id, value, updatedAt, problem }: StoredOverride): string =>
  `${kind} ${id}  ${updatedAt}  ${JSON.stringify(value)}\n${problem === undefined ? '' : `  has no effect: ${problem}\n`}`;

type Name = Pick<CatalogueOverride, 'kind' | 'id'>;

async function set(catalogue: CatalogueAdministration, name: Name, json: string): Promise<string> {
  const text = json.startsWith('@') ? await readFile(json.slice(1), 'utf8') : json;
  await catalogue.setOverride({ ...name, value: parse(text) });
  return `${name.kind} ${name.id} is changed.\n`;
}

function parse(text: string): CatalogueOverride['value'] {
  try {
    return z.json().parse(JSON.parse(text));
  } catch (cause) {
    throw new StartError(`Invalid JSON: ${text.slice(0, 100)}`, { cause });
  }
}

async function remove(catalogue: CatalogueAdministration, name: Name): Promise<string> {
  const { removed } = await catalogue.removeOverride(name);
  if (!removed) throw new Error(`${name.kind} ${name.id} has no change to remove. List all: npm run catalog -- list`);
  return `${name.kind} ${name.id} is reset.\n`;
}
