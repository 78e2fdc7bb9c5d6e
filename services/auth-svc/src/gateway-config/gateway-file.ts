import { readFile } from 'node:fs/promises';
import { type ReadGatewayDocument, readGatewayDocument } from '@tallyport/gateway-document';
import { unreadableFile } from '@tallyport/wire/yaml';
import { fileMark } from '@tallyport/service-kit';

interface GatewayFile {
  /**
   * Returns whether the file or the folder of secrets has changed since the last call: its time, size or inode, also
   * behind symbolic links.
   */
  hasChanged(): Promise<boolean>;
  /** Throws FileError if it cannot be read or is invalid. */
  read(): Promise<ReadGatewayDocument>;
}

/** Mounted files are replaced as symbolic links and send no reliable change events, so the file is compared. */
export function openGatewayFile(path: string, secretsFolder: string | undefined): GatewayFile {
  let seen = '';
  return {
    async hasChanged() {
      const marks = await Promise.all([path, ...(secretsFolder === undefined ? [] : [secretsFolder])].map(fileMark));
      const mark = marks.join('; ');
      const isChanged = mark !== seen;
      seen = mark;
      return isChanged;
    },
    async read() {
      const text = await readFile(path, 'utf8').catch((cause: unknown) => {
        throw unreadableFile(path, cause);
      });
      return readGatewayDocument(path, text);
    },
  };
}
