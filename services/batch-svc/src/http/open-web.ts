import type { ExchangeHandler } from '@tallyport/bus';
import { appHandler } from '@tallyport/http-exchange';
import {
  type AnyApiEndpoint,
  type CallerClient,
  callersBy,
  createAccountTurns,
  createManage,
  type Manage,
  managementApi,
  managementApp,
} from '@tallyport/management-server';
import type { BatchEvents } from '../events.ts';

interface BatchWebTools {
  endpoints: readonly AnyApiEndpoint[];
  auth: CallerClient;
  events: Pick<BatchEvents, 'pageFailed'>;
  /** Throws `unavailable` until the database is prepared. */
  ready(): void;
}

export interface BatchWeb {
  /** The management API for services with pages. */
  manage: Manage;
  /** Answers HTTP requests. */
  serve: ExchangeHandler;
}

/** The management API of batches. */
export function openBatchWeb({ endpoints, auth, events, ready }: BatchWebTools): BatchWeb {
  const { identify, callerOf } = callersBy(auth);
  const turns = createAccountTurns();
  const onFailure = events.pageFailed;
  const api = managementApi({ endpoints, turns, identify, onFailure });
  return {
    manage: createManage({ endpoints, turns, callerOf }),
    serve: appHandler(managementApp({ ready, onFailure, managementApi: api, pages: [] })),
  };
}
