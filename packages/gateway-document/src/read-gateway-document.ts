import { FileError, type FileProblem, locateFile } from '@tallyport/wire/yaml';
import { issueText } from '@tallyport/wire';
import { type GatewayDocument, gatewayDocumentSchema } from './document.ts';

export interface ReadGatewayDocument {
  document: GatewayDocument;
  /** Turns problems that show only later into an error with their lines. */
  refusal(problems: readonly FileProblem[]): FileError;
}

const mostCharacters = 1_000_000;

/** Reads YAML or JSON. Throws FileError for all that is wrong with its form. */
export function readGatewayDocument(file: string, text: string): ReadGatewayDocument {
  if (text.length > mostCharacters) {
    throw new FileError([`${file}: the document is larger than ${mostCharacters} characters. Split it by account.`]);
  }
  const { value, refusal } = locateFile(file, text, sentenceOf);
  const read = gatewayDocumentSchema.safeParse(value, { error: issueText });
  if (!read.success) throw refusal(read.error.issues);
  return { document: read.data, refusal };
}

const sentenceOf = ({ path, message }: FileProblem): string =>
  `${path.map(String).join('.') || 'the document'} ${message}.`;
