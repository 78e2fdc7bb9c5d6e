import type { Request } from 'express';

/**
 * The public origin of this request, as edge signed it. A local machine has several names, and a client knows one of
 * them.
 */
export const publicOriginOf = ({ headers }: Request): string =>
  `${String(headers['x-forwarded-proto'])}://${String(headers['x-forwarded-host'])}`;
