import { readFile } from 'node:fs/promises';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { type Layer, LayerError, type LayerProblem, parseLayer } from '../layers/layer.ts';
import { lineOf } from './line-of.ts';

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
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [fault] = document.errors;
  if (fault !== undefined) {
    throw new OperatorFileError([`${file}:${lineCounter.linePos(fault.pos[0]).line}: ${fault.message}.`]);
  }
  const lineAt = (path: LayerProblem['path']): number => lineCounter.linePos(lineOf(document, path)).line;
  const refusal = ({ problems }: LayerError) =>
    new OperatorFileError(
      problems
        .slice(0, mostShown)
        .map(({ path, message }) => `${file}:${lineAt(path)}: ${path.join('.') || 'the file'}: ${message}`),
    );
  try {
    return { layer: parseLayer(valueOf(file, document)), refusal };
  } catch (error) {
    throw error instanceof LayerError ? refusal(error) : error;
  }
}

function valueOf(file: string, document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch (cause) {
    throw new OperatorFileError([`${file}: its aliases cannot be resolved: ${String(cause)}.`]);
  }
}
