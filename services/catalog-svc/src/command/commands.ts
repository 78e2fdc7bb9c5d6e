import { readFile } from 'node:fs/promises';
import type { CatalogueOverride, StoredOverride } from '@switchyard/contracts';
import { StartError } from '@switchyard/service-kit';
import { z } from 'zod';
import { asOverrides } from '../refresh/as-overrides.ts';
import { type Difference, findDifferences } from '../refresh/differences.ts';
import { readModelsDev } from '../refresh/models-dev.ts';
import { readDocument } from '../refresh/read-document.ts';
import type { CatalogueAdministration } from './administration.ts';

export const catalogueUsage = `Usage:
  npm run catalog -- list                               show what was changed
  npm run catalog -- set model|provider <id> <json>     change it, with the members of switchyard.yaml; @file reads a file
  npm run catalog -- remove model|provider <id>         take the change back
  npm run catalog -- refresh <file or URL> [--apply]    compare prices and limits with a models.dev document
`;

/** Does it and tells what to show. */
export type CatalogueCommand = (catalogue: CatalogueAdministration) => Promise<string>;

/** What these words ask for; `undefined` when they cannot be understood. */
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
  if (overrides.length === 0) return 'Nothing was changed. Do it: npm run catalog -- set model <id> <json>\n';
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
    throw new StartError(`This is not JSON: ${text.slice(0, 100)}`, { cause });
  }
}

async function remove(catalogue: CatalogueAdministration, name: Name): Promise<string> {
  const { removed } = await catalogue.removeOverride(name);
  if (!removed) throw new Error(`${name.kind} ${name.id} was not changed. See what was: npm run catalog -- list`);
  return `${name.kind} ${name.id} is as it was.\n`;
}

async function refresh(catalogue: CatalogueAdministration, place: string, apply: boolean): Promise<string> {
  const prices = readModelsDev(await readDocument(place));
  const differences = findDifferences(await catalogue.snapshot({}), prices);
  if (differences.length === 0) return 'Nothing differs.\n';
  const shown = differences.map(difference).join('');
  if (!apply) return `${shown}\n${differences.length} differ. To take them over, add --apply.\n`;
  const { overrides } = await catalogue.listOverrides({});
  for (const override of asOverrides(differences, overrides)) await catalogue.setOverride(override);
  return `${shown}\n${differences.length} taken over.\n`;
}

const difference = ({ modelId, providerId, member, ours = 'unknown', theirs }: Difference): string =>
  `${modelId}  ${providerId}  ${member}  ${ours} → ${theirs}\n`;
