import type { Request } from 'express';

/** What the request of a link that works once has: its token, and the address of the client. */
export interface OpenedLink {
  token: string;
  address: string;
}

export const linkOf = (request: Request): OpenedLink => ({
  token: String(request.params['token']).slice(0, 200),
  address: request.ip ?? '',
});
