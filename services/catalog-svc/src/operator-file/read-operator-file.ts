import { readFile } from 'node:fs/promises';
import { type LocatedYaml, readYaml, YamlError } from '@switchyard/located-yaml';
import { type Layer, LayerError, parseLayer } from '../layers/layer.ts';

/** A well-formed file. Whether it fits the catalogue shows only when it is applied. */
export interface OperatorFile {
  layer: Layer;
  /** Turns problems into messages with file, line and member. */
  refusal(error: LayerError): OperatorFileError;
}

/** The problems with the file, one per line. */
export class OperatorFileError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'OperatorFileError';
  }
}

const mostShown = 10;

/** Reads the file and checks its form. Throws OperatorFileError with file, line and member, or if it cannot be read. */
export async function readOperatorFile(file: string): Promise<OperatorFile> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new OperatorFileError([
      `${file}: cannot be read (${error instanceof Error ? error.message : String(error)}).`,
    ]);
  });
  return parseOperatorFile(file, text);
}

export function parseOperatorFile(file: string, text: string): OperatorFile {
  const { value, lineOf } = located(file, text);
  const refusal = ({ problems }: LayerError) =>
    new OperatorFileError(
      problems
        .slice(0, mostShown)
        .map(({ path, message }) => `${file}:${lineOf(path)}: ${path.join('.') || 'the file'}: ${message}`),
    );
  try {
    return { layer: parseLayer(value ?? {}), refusal };
  } catch (error) {
    throw error instanceof LayerError ? refusal(error) : error;
  }
}

function located(file: string, text: string): LocatedYaml {
  try {
    return readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const place = error.line === undefined ? file : `${file}:${error.line}`;
    throw new OperatorFileError([`${place}: ${error.message}.`]);
  }
}
