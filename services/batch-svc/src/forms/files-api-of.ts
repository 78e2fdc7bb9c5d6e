import type { RequestHead } from '@tallyport/contracts';
import { anthropicFiles } from './anthropic-files.ts';
import type { FilesApi } from './files-api.ts';
import { openAiFiles } from './openai-files.ts';

/** `/v1/files` belongs to two APIs. Clients of Anthropic's send a header that names their version. */
export const filesApiOf = ({ headers }: Pick<RequestHead, 'headers'>): FilesApi =>
  headers['anthropic-version'] === undefined ? openAiFiles : anthropicFiles;
