import { once } from 'node:events';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { createClient, type Link } from '@switchyard/bus';
import { authService, type Call, errorBody, GatewayError, toGatewayError } from '@switchyard/contracts';
import { type Kit, type Part, stopServer } from '@switchyard/service-kit';
import { z } from 'zod';
import { socketPath } from './socket-path.ts';

/** The shortest limit of the systems we run on; a longer path is cut silently by some. */
const longestPath = 103;

/**
 * Lets `npm run key` work while an embedded instance holds the data directory: a Unix socket in a folder only its owner
 * can enter, so that who may read the data may manage the keys and nobody else. No port is opened.
 */
export function keySocket(kit: Kit<{ readonly DATA_DIR: string }>, { link }: { link: Link }): Part {
  const path = socketPath(kit.config.DATA_DIR);
  const operations = keyOperations(link);
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    answer(operations, request).then(
      (output) => send(response, 200, output),
      (error: unknown) => send(response, toGatewayError(error).status, errorBody(toGatewayError(error))),
    );
  });
  server.maxConnections = 16;
  return {
    name: 'key socket',
    async start() {
      if (Buffer.byteLength(path) > longestPath)
        return kit.log.warn({ path }, 'key socket left out: the path is too long');
      await listenPrivately(server, path);
    },
    async stop(deadlineMs) {
      await stopServer(server, deadlineMs);
      await rm(path, { force: true });
    },
  };
}

/** What a process before us left behind is removed: the lock of the data directory says that it is gone. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await chmod(dirname(path), 0o700);
  await rm(path, { force: true });
  server.listen(path);
  await once(server, 'listening');
}

type Operations = ReadonlyMap<string, (input: unknown) => Promise<unknown>>;

function keyOperations(link: Link): Operations {
  const { createKey, listKeys, revokeKey } = createClient(link, authService);
  const { operations } = authService;
  return new Map<string, (input: unknown) => Promise<unknown>>([
    ['/createKey', checked(operations.createKey, createKey)],
    ['/listKeys', checked(operations.listKeys, listKeys)],
    ['/revokeKey', checked(operations.revokeKey, revokeKey)],
  ]);
}

function checked<Input, Output>({ input: schema }: Call<Input, Output>, perform: (input: Input) => Promise<Output>) {
  return (input: unknown): Promise<Output> => {
    const parsed = schema.safeParse(input);
    if (!parsed.success) throw new GatewayError('invalid_parameters', z.prettifyError(parsed.error));
    return perform(parsed.data);
  };
}

async function answer(operations: Operations, request: IncomingMessage): Promise<unknown> {
  const operation = request.method === 'POST' ? operations.get(request.url ?? '') : undefined;
  if (operation === undefined) throw new GatewayError('not_found', 'There is no such operation.');
  return operation(await readJson(request));
}

const mostBytes = 64 * 1024;

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostBytes) throw new GatewayError('request_too_large', `More than ${mostBytes} bytes.`);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (cause) {
    throw new GatewayError('invalid_json', 'The body is not JSON.', { cause });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
}
