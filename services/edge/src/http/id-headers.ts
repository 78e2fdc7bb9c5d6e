import type { ErrorForm } from '@tallyport/contracts';

/** The request id in the headers in which clients of an API look for it. */
export const idHeaders = (requestId: string, { requestIdHeader }: ErrorForm): Readonly<Record<string, string>> => ({
  'x-request-id': requestId,
  ...(requestIdHeader !== undefined && { [requestIdHeader]: requestId }),
});
