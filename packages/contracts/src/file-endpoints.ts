import type { Endpoint } from './endpoint.ts';
import { messagesErrors } from './error-forms/messages-errors.ts';

const sdk = <Call extends string, Argument extends number>(call: Call, argument?: Argument) => ({
  python: `files.${call}` as const,
  typescript: `files.${call}` as const,
  ...(argument !== undefined && { argument }),
});

const ofFiles = {
  method: 'GET',
  key: 'required',
  kind: 'models',
  accepts: [],
  service: 'batch',
  holdsContent: true,
  anthropicErrors: messagesErrors,
} as const;
const ofFile = { ...ofFiles, path: '/v1/files/{id}' } as const;

/** Files of clients, in the form of OpenAI's API or, by a header, of Anthropic's; none of these calls a provider. */
export const fileEndpoints = [
  {
    ...ofFiles,
    method: 'POST',
    path: '/v1/files',
    exchange: 'createFile',
    accepts: ['multipart/form-data'],
    streamsBody: true,
    sdk: sdk('create'),
  },
  { ...ofFiles, path: '/v1/files', exchange: 'listFiles', sdk: sdk('list') },
  { ...ofFiles, path: '/v1/files/{id}/content', exchange: 'fileContent', sdk: sdk('content', 1) },
  { ...ofFile, exchange: 'getFile', sdk: sdk('retrieve', 0) },
  { ...ofFile, method: 'DELETE', exchange: 'deleteFile', sdk: sdk('delete', 0) },
] as const satisfies readonly Endpoint[];
