import { isObject, type JsonObject, jsonOf } from '@tallyport/sandbox';
import type { BatchLine } from './batch-desk.ts';

/** What is wrong with a file of lines. */
interface WrongFile {
  readonly wrong: string;
}

/** The lines of a file; each has an id of its own, and the members that `read` needs. */
export function linesInFile(
  bytes: Buffer,
  read: (row: JsonObject, body: JsonObject) => BatchLine | undefined,
): BatchLine[] | WrongFile {
  const lines = new Map<string, BatchLine>();
  for (const [at, text] of bytes.toString().trim().split('\n').entries()) {
    const row = jsonOf(text);
    const line = isObject(row) && isObject(row['body']) ? read(row, row['body']) : undefined;
    if (line === undefined) return { wrong: `Line ${at + 1} is invalid.` };
    if (lines.has(line.customId)) return { wrong: `Line ${at + 1} repeats the custom_id ${line.customId}.` };
    lines.set(line.customId, line);
  }
  return [...lines.values()];
}
