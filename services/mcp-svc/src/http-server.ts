import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { McpAnswer, McpRequest } from './answer.ts';

/** Turns HTTP into questions and answers. Request bodies are let go unread as long as nothing reads them. */
export function httpServer(answer: (request: McpRequest) => McpAnswer): Server {
  return createServer({ headersTimeout: 10_000, requestTimeout: 60_000 }, (request, response) => {
    request.resume();
    send(answer(questionOf(request)), request, response);
  });
}

function questionOf({ method = 'GET', url = '/', headers }: IncomingMessage): McpRequest {
  const requestId = headers['x-request-id'];
  return {
    method,
    path: url.split('?', 1)[0] ?? '/',
    requestId: typeof requestId === 'string' ? requestId : undefined,
  };
}

function send({ status, headers, body }: McpAnswer, request: IncomingMessage, response: ServerResponse): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
