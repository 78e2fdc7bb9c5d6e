import { type InputLine, readLines } from '@tallyport/wire';
import type { FileTools } from '../files/file-tools.ts';
import { openFile } from '../files/open-file.ts';
import type { InputPart } from './input-part.ts';

/** What reads the lines of an input. */
export type LineTools = Pick<FileTools, 'database' | 'secrets' | 'storage'>;

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
    // The limit may have been lowered since each line was checked.
    maxBytes: end - start,
    tooLong: () => new TypeError('A part of an input has a longer line.'),
    from: { byte: start, line: firstLine },
  });
}
