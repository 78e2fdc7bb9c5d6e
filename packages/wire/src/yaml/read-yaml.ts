import { type Document, LineCounter, parseDocument, visit } from 'yaml';
import { offsetOf } from './offset-of.ts';

export interface LocatedYaml {
  readonly value: unknown;
  /** The line of the innermost existing member of a path, which for a missing member is where it should be. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** The text is not YAML, its aliases cannot be resolved, or it has a zero character. */
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
  const nul = offsetOfNul(document);
  if (nul !== undefined) throw new YamlError(nulProblem, lineCounter.linePos(nul).line);
  return { value: valueOf(document), lineOf: (path) => lineCounter.linePos(offsetOf(document, path)).line };
}

const nulProblem = 'it contains a zero character, which no database stores. Remove it';

function offsetOfNul(document: Document.Parsed): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Scalar(_key, { value, range }) {
      if (typeof value !== 'string' || !value.includes('\0')) return undefined;
      offset = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

function valueOf(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: mostAliases });
  } catch (cause) {
    throw new YamlError(`its aliases cannot be resolved: ${String(cause)}`);
  }
}
