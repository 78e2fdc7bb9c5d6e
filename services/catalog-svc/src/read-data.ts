import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@tallyport/service-kit';
import type { z } from 'zod';
import { type DataFile, dataFileSchema } from './data-file.ts';

/** Reads the data files of a folder, sorted by name. An invalid one stops the start with its name and member. */
export async function readDataFiles(folder: string): Promise<DataFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  const files = await Promise.all(names.map((name) => readDataFile(folder, name)));
  refuseDuplicates(files);
  return files;
}

async function readDataFile(folder: string, name: string): Promise<DataFile> {
  const parsed = dataFileSchema.safeParse(parseJson(name, await readFile(join(folder, name), 'utf8')));
  if (parsed.success) return parsed.data;
  throw new StartError(`The catalogue file ${name} is invalid: ${describe(parsed.error)}`);
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StartError(`The catalogue file ${name} is not JSON.`, { cause });
  }
}

const describe = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.map(String).join('.') || 'the file'}: ${message}.`)
    .join(' ');

function refuseDuplicates(files: readonly DataFile[]): void {
  const seen = new Set<string>();
  for (const { id, aliases } of files.flatMap(({ models }) => models)) {
    for (const name of [id, ...aliases]) {
      if (seen.has(name)) throw new StartError(`The catalogue has the model name ${name} twice.`);
      seen.add(name);
    }
  }
}
