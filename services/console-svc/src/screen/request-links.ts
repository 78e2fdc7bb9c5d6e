import type { RequestOutcomeName } from '@tallyport/management';
import type { Period } from './period.ts';
import { queryOf } from './query-of.ts';

/** Filters of the screen of requests, named as those of `GET /api/v1/requests`. */
export interface RequestFilter {
  /** A time; the requests from then on. */
  from?: string | undefined;
  /** Exclusive. */
  to?: string | undefined;
  outcome?: RequestOutcomeName | undefined;
  key?: string | undefined;
  project?: string | undefined;
  end_user?: string | undefined;
  model?: string | undefined;
  /** The provider that answered. */
  provider?: string | undefined;
  /** A provider whose call failed. */
  failed_at?: string | undefined;
  /** The id of a user. */
  member?: string | undefined;
  /** An error code, or `any`. */
  error?: string | undefined;
}

/** The time of a period, as filters. One that is open has no end, because new requests belong to it. */
export const timesOf = ({
  from,
  to,
  isOpen,
}: Pick<Period, 'from' | 'to' | 'isOpen'>): { from: string; to?: string } => ({
  from,
  ...(!isOpen && { to }),
});

/** The address of the requests that a number is made of. */
export const requestsAddress = (base: string, filter: RequestFilter): string =>
  `${base}/requests?${queryOf({ ...filter, from: shortTime(filter.from), to: shortTime(filter.to) })
    .toString()
    .replaceAll('%3A', ':')}`;

/** A page of charts has hundreds of times. */
const shortTime = (iso: string | undefined): string | undefined => iso?.replace(/(?<=T\d\d:\d\d):00(?:\.0+)?Z$/, 'Z');

/** The address of requests as CSV, with filters of the API. */
export const exportAddress = (account: string, filter: Readonly<Record<string, string | undefined>>): string =>
  `/api/v1/requests/export?${queryOf({ ...filter, account }).toString()}`;
