import type { Database } from '@tallyport/database';
import { requestOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import { listRequests } from './list-requests.ts';
import { readRequestRecord } from './read-request-record.ts';
import { visibleRequests } from './request-scope.ts';

const defaultMs = 30 * 86_400_000;

export const requestEndpoints = ({ database }: { database: Database }): ApiEndpoint[] => [
  endpoint(operations.listRequests, async ({ from, to, id, cost_over: costOver, ...filters }, caller) =>
    listRequests(database, await visibleRequests(database, caller, filters), {
      ...filters,
      id,
      costOver,
      from: from === undefined ? defaultStart(id) : new Date(from),
      until: to === undefined ? undefined : new Date(to),
    }),
  ),
  endpoint(operations.readRequest, async ({ id }, caller) =>
    readRequestRecord(database, await visibleRequests(database, caller), id),
  ),
];

/** An id is searched in all records. */
const defaultStart = (id: string | undefined): Date => new Date(id === undefined ? Date.now() - defaultMs : 0);
