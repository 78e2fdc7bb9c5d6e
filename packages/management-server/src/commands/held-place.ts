import type { DirectoryInUseError } from '@tallyport/database';

/** The socket in a data directory that a running process holds. */
export const heldPlace = ({ directory, pid }: DirectoryInUseError, pathIn: (directory: string) => string) => ({
  path: pathIn(directory),
  unheard: `The data directory ${directory} is in use by process ${pid}, which does not accept commands. Stop it, then try again.`,
});
