/** Filters of the screen of requests, named as those of `GET /api/v1/requests`. */
export interface RequestFilter {
  /** A time; the requests from then on. */
  from?: string | undefined;
  /** Exclusive. */
  to?: string | undefined;
  key?: string | undefined;
  project?: string | undefined;
  model?: string | undefined;
  provider?: string | undefined;
  /** An error code, or `any`. */
  error?: string | undefined;
}

/** The address of the requests that a number is made of. */
export function requestsAddress(base: string, filter: RequestFilter): string {
  const pairs = Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${base}/requests?${new URLSearchParams(pairs).toString()}`;
}
