import type { IncomingMessage, ServerResponse } from 'node:http';

/** A route of the web app, with a path in express syntax. */
export interface WebRoute {
  path: string;
  handler(request: IncomingMessage, response: ServerResponse): void;
}
