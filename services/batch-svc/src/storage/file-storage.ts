import { GatewayError } from '@tallyport/contracts';
import { LostContent } from './lost-content.ts';

/** Bytes from `start` up to, but without, `end`. */
export interface ContentRange {
  start: number;
  end: number;
}

/**
 * Where the contents of files are kept, each as one object. A failure is a GatewayError that says whether the storage is
 * full, away or without the object; what `pieces` throws is thrown as it is.
 */
export interface FileStorage {
  /** Stores all pieces, or nothing. The next piece is read when the storage can take it. */
  write(key: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  read(key: string, range: ContentRange): AsyncIterable<Uint8Array>;
  /** Removes the object, and what a write has left that was killed. It may be called for an object that does not exist. */
  remove(key: string): Promise<void>;
}

export const storageFull = (cause: unknown): GatewayError =>
  new GatewayError('unavailable', 'The storage of files is full. The operator must make room.', { cause });

export const storageAway = (cause: unknown): GatewayError =>
  new GatewayError('unavailable', 'The storage of files does not answer. Try again in a moment.', {
    retryAfterMs: 1_000,
    cause,
  });

export const contentMissing = (cause: unknown): LostContent =>
  new LostContent('The content of the file is missing in the storage. Delete the file and send it again.', cause);

/** For an installation with several processes that was given no storage. */
export const noStorage: FileStorage = {
  write: () => Promise.reject(notConfigured()),
  read() {
    throw notConfigured();
  },
  remove: () => Promise.reject(notConfigured()),
};

const notConfigured = (): GatewayError =>
  new GatewayError('unavailable', 'Files cannot be stored here. The operator must set FILES_S3_BUCKET or FILES_DIR.');
