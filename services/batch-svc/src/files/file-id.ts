import { randomUUID } from 'node:crypto';
import { GatewayError, type RequestHead } from '@tallyport/contracts';

const start = 'file-';
const anthropicStart = 'file_';

export const newFileId = (): string => `${start}${randomUUID().replaceAll('-', '')}`;

/** The id as clients of Anthropic's API know it. Both name the same file. */
export const anthropicIdOf = (id: string): string => anthropicStart + id.slice(start.length);

/** The id that a client named, in either form. */
export const fileIdOf = (named: string): string =>
  named.startsWith(anthropicStart) ? start + named.slice(anthropicStart.length) : named;

/** The id in an address, of which `/content` may follow. Postgres takes no NUL. */
export function fileIdIn({ path = '' }: Pick<RequestHead, 'path'>): string {
  const [named = ''] = path.replaceAll('\0', '').split('/', 1);
  return fileIdOf(named);
}

export const noSuchFile = (): GatewayError =>
  new GatewayError('not_found', 'There is no such file, or it has expired. GET /v1/files lists those of your key.');
