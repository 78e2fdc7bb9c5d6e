import type { IncomingMessage, ServerResponse } from 'node:http';

/** A path of the web app, as express writes them. */
export interface WebRoute {
  path: string;
  handler(request: IncomingMessage, response: ServerResponse): void;
}
