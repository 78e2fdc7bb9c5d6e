import { readFile, stat } from 'node:fs/promises';
import { FileError, unreadableFile } from '@tallyport/wire/yaml';

/** Reads a file up to a size. Throws FileError if it is larger or cannot be read. */
export async function readSource(file: string, mostBytes: number): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size <= mostBytes) return await readFile(file, 'utf8');
  } catch (error) {
    throw unreadableFile(file, error);
  }
  throw new FileError([`${file}: it is larger than ${mostBytes / 1_000_000} MB. Divide it.`]);
}
