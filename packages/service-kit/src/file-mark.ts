import { stat } from 'node:fs/promises';

/** The mark of a path where nothing is. */
export const absentMark = 'absent';

/**
 * Returns a text that differs when the file or folder was changed or replaced, also behind symbolic links. Mounted files
 * send no reliable change events.
 */
export async function fileMark(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return absentMark;
    return `unreadable: ${String(error)}`;
  }
}
