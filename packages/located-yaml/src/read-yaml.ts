import { type Document, LineCounter, parseDocument } from 'yaml';
import { offsetOf } from './offset-of.ts';

export interface LocatedYaml {
  readonly value: unknown;
  /** The line of the innermost existing member of a path, which for a missing member is where it should be. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** The text is not YAML, or its aliases cannot be resolved. */
export class YamlError extends Error {
  readonly line: number | undefined;
  constructor(message: string, line?: number) {
    super(message);
    this.name = 'YamlError';
    this.line = line;
  }
}

const mostAliases = 100;

/** Reads one YAML or JSON document. Throws YamlError for the first fault. An empty text has the value `null`. */
export function readYaml(text: string): LocatedYaml {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [fault] = document.errors;
  if (fault !== undefined) throw new YamlError(fault.message, lineCounter.linePos(fault.pos[0]).line);
  return { value: valueOf(document), lineOf: (path) => lineCounter.linePos(offsetOf(document, path)).line };
}

function valueOf(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: mostAliases });
  } catch (cause) {
    throw new YamlError(`its aliases cannot be resolved: ${String(cause)}`);
  }
}
