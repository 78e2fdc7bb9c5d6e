import type { FilePage, StoredFile } from '../files/stored-files.ts';

/** What the fields of an upload say beside the file. */
interface UploadTerms {
  purpose: string;
  /** Absent for files that are kept until they are deleted. */
  expiresInSeconds?: number | undefined;
}

/** How an API writes files. */
export interface FilesApi {
  /** Throws `invalid_parameters` and `unsupported_parameter`. */
  readTerms(fields: ReadonlyMap<string, string>): UploadTerms;
  readPage(query: URLSearchParams): FilePage;
  file(file: StoredFile): object;
  /** One page; `hasMore` if others follow. */
  list(files: readonly StoredFile[], hasMore: boolean): object;
  deleted(file: StoredFile): object;
}
