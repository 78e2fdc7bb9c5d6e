import { type InputLine, readLines } from '@tallyport/wire';
import type { FileTools } from '../files/file-tools.ts';
import { openFile } from '../files/open-file.ts';
import type { InputPart } from './input-part.ts';

/** What reads the lines of an input. */
export interface LineTools extends Pick<FileTools, 'database' | 'secrets' | 'storage'> {
  maxLineBytes: number;
}

interface InputPlace {
  inputFileId: string;
  accountId: string;
}

/** The lines of a part of a checked input. */
export async function* linesOfPart(
  tools: LineTools,
  { inputFileId: id, accountId }: InputPlace,
  { start, end, firstLine }: Pick<InputPart, 'start' | 'end' | 'firstLine'>,
): AsyncGenerator<InputLine> {
  const file = await openFile(tools, { id, accountId });
  yield* readLines(file.read({ start, end }), {
    maxBytes: tools.maxLineBytes,
    tooLong: () => new TypeError('A line of a checked input is too long.'),
    from: { byte: start, line: firstLine },
  });
}
