import { readFile, stat } from 'node:fs/promises';
import { readYaml, YamlError } from '@switchyard/located-yaml';
import type { z } from 'zod';

/** A problem and its location: member names from the outermost inwards. */
export interface IdentityProblem {
  path: readonly PropertyKey[];
  message: string;
}

/** A file that can be read as YAML. Whether its content is valid is the reader's concern. */
export interface DocumentFile {
  /** An empty file is an empty object. */
  value: unknown;
  /** Turns problems of the content into messages with file, line and member. */
  refusal(problems: readonly IdentityProblem[]): IdentityDocumentError;
}

/** The problems with the document, one per line. */
export class IdentityDocumentError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'IdentityDocumentError';
  }
}

const mostShown = 10;

/** Reads a YAML file. Throws IdentityDocumentError with file and line, or if it cannot be read. */
export async function readDocumentFile(file: string): Promise<DocumentFile> {
  try {
    const { value, lineOf } = readYaml(await readFile(file, 'utf8'));
    return {
      value: value ?? {},
      refusal: (problems) =>
        new IdentityDocumentError(
          problems
            .slice(0, mostShown)
            .map(({ path, message }) => `${file}:${lineOf(path)}: ${path.join('.') || 'the file'}: ${message}`),
        ),
    };
  } catch (error) {
    if (error instanceof YamlError) throw new IdentityDocumentError([`${file}:${error.line ?? 1}: ${error.message}.`]);
    throw new IdentityDocumentError([
      `${file}: cannot be read (${error instanceof Error ? error.message : String(error)}).`,
    ]);
  }
}

/** Turns issues into sentences; an unknown member is reported at its own path. */
export const documentProblems = ({ issues }: z.ZodError): IdentityProblem[] =>
  issues.flatMap(({ path, ...issue }): IdentityProblem[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...path, key], message: 'is not a known member.' }))
      : [{ path, message: `${issue.message}.` }],
  );

/** Returns a text that differs when the file was changed or replaced. Mounted files send no change events. */
export async function fileMark(file: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    return `unreadable: ${String(error)}`;
  }
}
