import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@tallyport/service-kit';
import type { z } from 'zod';
import { type DataFile, dataFileSchema, type TierRules, tierRulesSchema } from './data-file.ts';

/** Reads the data files of a folder, sorted by name. An invalid one stops the start with its name and member. */
export async function readDataFiles(folder: string): Promise<DataFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  const files = await Promise.all(names.map((name) => readDataFile(folder, name)));
  refuseDuplicates(files);
  return files;
}

/** Reads the prices of service tiers that hold for all models of a provider. */
export const readTierRules = (folder: string): Promise<TierRules> =>
  readChecked(folder, join('tiers', 'providers.json'), tierRulesSchema);

const readDataFile = (folder: string, name: string): Promise<DataFile> => readChecked(folder, name, dataFileSchema);

async function readChecked<Data>(folder: string, name: string, schema: z.ZodType<Data>): Promise<Data> {
  const content = parseJson(name, await readFile(join(folder, name), 'utf8'));
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new StartError(`The catalogue file ${name} is invalid: ${describe(parsed.error, content)}`);
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StartError(`The catalogue file ${name} is not JSON.`, { cause });
  }
}

const describe = ({ issues }: z.ZodError, content: unknown): string =>
  issues
    .slice(0, 5)
    .map(({ path, message }) => `${placeOf(path, content) || 'the file'}: ${message}.`)
    .join(' ');

/** Files have hundreds of rows, so a model is named by its id and an offer by its provider. */
function placeOf(path: readonly PropertyKey[], content: unknown): string {
  let value = content;
  const names = path.map((member) => {
    value = memberOf(value, member);
    const name = memberOf(value, 'id') ?? memberOf(value, 'provider');
    return typeof member === 'number' && typeof name === 'string' ? name : String(member);
  });
  return names.join('.');
}

const memberOf = (value: unknown, member: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined;

function refuseDuplicates(files: readonly DataFile[]): void {
  const seen = new Set<string>();
  for (const { id, aliases } of files.flatMap(({ models }) => models)) {
    for (const name of [id, ...aliases]) {
      if (seen.has(name)) throw new StartError(`The catalogue has the model name ${name} twice.`);
      seen.add(name);
    }
  }
}
