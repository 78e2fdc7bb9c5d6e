import type { Database } from '@tallyport/database';
import { contentOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import { deleteContents } from './delete-contents.ts';
import type { OpenedContents } from './open-contents.ts';
import { readContent } from './read-content.ts';

export interface ContentEndpointTools {
  database: Database;
  contents: Pick<OpenedContents, 'keys'>;
}

export const contentEndpoints = ({ database, contents }: ContentEndpointTools): ApiEndpoint[] => [
  endpoint(operations.readRequestContent, ({ id }, caller) =>
    readContent({ database, contentKeys: contents.keys }, caller, id),
  ),
  endpoint(operations.deleteContents, async (_input, caller) => ({
    deleted: await deleteContents(database, caller),
  })),
];
