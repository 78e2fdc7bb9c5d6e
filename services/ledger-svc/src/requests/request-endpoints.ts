import { endUserName } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { requestOperations as operations } from '@tallyport/management';
import { type AnyApiEndpoint, type ApiCaller, endpoint, streamEndpoint } from '@tallyport/management-server';
import type { z } from 'zod';
import { dayMs, daysText } from '../usage/days.ts';
import { exportRequests } from './export-requests.ts';
import { listRequests } from './list-requests.ts';
import { readRequestRecord } from './read-request-record.ts';
import type { RequestFilters } from './request-filters.ts';
import { visibleRequests } from './request-scope.ts';
import { sumRequests } from './sum-requests.ts';

const defaultMs = 30 * dayMs;

export function requestEndpoints({ database }: { database: Database }): AnyApiEndpoint[] {
  const scopeOf = (filters: GivenFilters, caller: ApiCaller) => visibleRequests(database, caller, filters);
  return [
    endpoint(operations.listRequests, async ({ sort, limit, cursor, ...given }, caller) =>
      listRequests(database, await scopeOf(given, caller), { ...filtersOf(given), sort, limit, cursor }),
    ),
    endpoint(operations.sumRequests, async (given, caller) =>
      sumRequests(database, await scopeOf(given, caller), filtersOf(given)),
    ),
    streamEndpoint(operations.exportRequests, {
      async *pieces({ sort, ...given }, caller) {
        yield* exportRequests(database, await scopeOf(given, caller), { ...filtersOf(given), sort });
      },
      fileName: fileNameOf,
    }),
    endpoint(operations.readRequest, async ({ id }, caller) =>
      readRequestRecord(database, await visibleRequests(database, caller), id),
    ),
  ];
}

type GivenFilters = z.output<typeof operations.sumRequests.input>;

function filtersOf(given: GivenFilters): RequestFilters {
  const {
    from,
    to,
    key: _key,
    member: _member,
    cost_over: costOver,
    end_user: endUser,
    failed_at: failedAt,
    ...filters
  } = given;
  return {
    ...filters,
    costOver,
    endUser: endUser === undefined ? undefined : endUserName(endUser),
    failedAt,
    from: from === undefined ? defaultStart(given) : new Date(from),
    until: to === undefined ? undefined : new Date(to),
  };
}

function fileNameOf(given: GivenFilters): (string | undefined)[] {
  const { outcome, error, model, provider, tried, failed_at: failedAt, key, project, id } = given;
  if (id !== undefined) return ['requests', id];
  const { from, until = new Date() } = filtersOf(given);
  return ['requests', outcome, error, model, provider, tried, failedAt, key, project, ...daysText({ from, until })];
}

/** An id is searched in all records. */
const defaultStart = ({ id }: GivenFilters): Date => new Date(id === undefined ? Date.now() - defaultMs : 0);
