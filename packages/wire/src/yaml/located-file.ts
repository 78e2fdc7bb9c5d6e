import { type LocatedYaml, readYaml, YamlError } from './read-yaml.ts';

/** What is wrong with a member of a file: the names of the members from the outermost inwards, and a sentence. */
export interface FileProblem {
  path: readonly PropertyKey[];
  message: string;
}

/** A file cannot be used. One problem per line, with file, line and member. */
export class FileError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'FileError';
  }
}

/** A file that is YAML. Whether its content is valid is the reader's concern. */
interface LocatedFile {
  /** Of an empty file, `null`. */
  value: unknown;
  lineOf: LocatedYaml['lineOf'];
  /** Turns problems of the content into an error with their lines. */
  refusal(problems: readonly FileProblem[]): FileError;
}

const mostShown = 10;

/** Reads the text of a file. Throws FileError if it is not YAML. */
export function locateFile(
  file: string,
  text: string,
  describe: (problem: FileProblem) => string = named,
): LocatedFile {
  const { value, lineOf } = parse(file, text);
  return {
    value,
    lineOf,
    refusal: (problems) =>
      new FileError(
        problems.slice(0, mostShown).map((problem) => `${file}:${lineOf(problem.path)}: ${describe(problem)}`),
      ),
  };
}

const named = ({ path, message }: FileProblem): string => `${path.map(String).join('.') || 'the file'}: ${message}`;

export const unreadableFile = (file: string, cause: unknown): FileError =>
  new FileError([`${file}: cannot be read (${cause instanceof Error ? cause.message : String(cause)}).`]);

function parse(file: string, text: string): LocatedYaml {
  try {
    return readYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new FileError([`${file}${error.line === undefined ? '' : `:${error.line}`}: ${error.message}.`]);
  }
}
