import { stat } from 'node:fs/promises';
import type { FileProblem } from '@switchyard/located-yaml';
import type { z } from 'zod';

/** Turns issues into sentences; an unknown member is reported at its own path. */
export const documentProblems = ({ issues }: z.ZodError): FileProblem[] =>
  issues.flatMap(({ path, ...issue }): FileProblem[] =>
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
