import { lookUp, same } from './endpoint-parts.ts';
import type { Endpoint } from './endpoint.ts';
import { messagesErrors } from './error-forms/messages-errors.ts';

const ofFiles = { ...lookUp, service: 'batch', holdsContent: true, anthropicErrors: messagesErrors } as const;
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
    sdk: same('files.create'),
  },
  { ...ofFiles, path: '/v1/files', exchange: 'listFiles', sdk: same('files.list') },
  { ...ofFiles, path: '/v1/files/{id}/content', exchange: 'fileContent', sdk: same('files.content', 1) },
  { ...ofFile, exchange: 'getFile', sdk: same('files.retrieve', 0) },
  { ...ofFile, method: 'DELETE', exchange: 'deleteFile', sdk: same('files.delete', 0) },
] as const satisfies readonly Endpoint[];
