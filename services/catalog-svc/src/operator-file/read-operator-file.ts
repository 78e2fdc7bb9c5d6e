import { readFile } from 'node:fs/promises';
import { type FileError, locateFile, unreadableFile } from '@tallyport/wire/yaml';
import { type Layer, LayerError, parseLayer } from '../layers/layer.ts';

/** A well-formed file. Whether it fits the catalogue shows only when it is applied. */
interface OperatorFile {
  layer: Layer;
  /** Turns problems into messages with file, line and member. */
  refusal(error: LayerError): FileError;
}

/** Reads the file and checks its form. Throws FileError with file, line and member, or if it cannot be read. */
export async function readOperatorFile(file: string): Promise<OperatorFile> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadableFile(file, error);
  });
  return parseOperatorFile(file, text);
}

export function parseOperatorFile(file: string, text: string): OperatorFile {
  const { value, refusal } = locateFile(file, text);
  try {
    return { layer: parseLayer(value ?? {}), refusal: ({ problems }) => refusal(problems) };
  } catch (error) {
    throw error instanceof LayerError ? refusal(error.problems) : error;
  }
}
