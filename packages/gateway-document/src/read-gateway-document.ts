import { readYaml, YamlError } from '@switchyard/located-yaml';
import { issueText } from '@switchyard/wire';
import { type GatewayDocument, gatewayDocumentSchema } from './document.ts';

export interface DocumentProblem {
  path: readonly PropertyKey[];
  message: string;
}

/** The document cannot be applied. One problem per line, with file, line and member. */
export class DocumentError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'DocumentError';
  }
}

export interface ReadGatewayDocument {
  document: GatewayDocument;
  /** Turns problems that show only later into an error with their lines. */
  refusal(problems: readonly DocumentProblem[]): DocumentError;
}

const mostShown = 10;
const mostCharacters = 1_000_000;

/** Reads YAML or JSON. Throws DocumentError for all that is wrong with its form. */
export function readGatewayDocument(file: string, text: string): ReadGatewayDocument {
  if (text.length > mostCharacters) {
    throw new DocumentError([
      `${file}: the document is larger than ${mostCharacters} characters. Split it by account.`,
    ]);
  }
  const { value, lineOf } = located(file, text);
  const refusal = (problems: readonly DocumentProblem[]): DocumentError =>
    new DocumentError(
      problems.slice(0, mostShown).map(({ path, message }) => `${file}:${lineOf(path)}: ${nameOf(path)} ${message}.`),
    );
  const read = gatewayDocumentSchema.safeParse(value, { error: issueText });
  if (!read.success) throw refusal(read.error.issues);
  return { document: read.data, refusal };
}

function located(file: string, text: string) {
  try {
    return readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new DocumentError([`${file}${error.line === undefined ? '' : `:${error.line}`}: ${error.message}.`]);
  }
}

const nameOf = (path: readonly PropertyKey[]): string => path.map(String).join('.') || 'the document';
