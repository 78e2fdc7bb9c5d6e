import { once } from 'node:events';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { type Call, errorBody, GatewayError, toGatewayError } from '@tallyport/contracts';
import { z } from 'zod';
import { closeServer } from '../admin/listen.ts';
import type { Log } from '../log/index.ts';
import type { Part } from '../parts/part.ts';

/** The smallest limit among the supported systems. Some truncate a longer path silently. */
const maxPathBytes = 103;

/** Operations by name. Each validates its own input. */
type ControlOperations = Readonly<Record<string, (input: unknown) => Promise<unknown>>>;

interface ControlSocketOptions {
  /** Name of the part in messages, for example `key socket`. */
  name: string;
  path: string;
  operations: ControlOperations;
  log: Log;
}

/**
 * Lets commands work while an embedded instance holds the data directory. The Unix socket is in a folder that only its
 * owner can enter, so only users that can read the data can manage it. No port is opened.
 */
export function controlSocket({ name, path, operations, log }: ControlSocketOptions): Part {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    answer(operations, request).then(
      (output) => send(response, 200, output),
      (error: unknown) => send(response, toGatewayError(error).status, errorBody(toGatewayError(error))),
    );
  });
  server.maxConnections = 16;
  return {
    name,
    async start() {
      if (Buffer.byteLength(path) > maxPathBytes)
        return log.warn({ path }, `${name} is not started: its path is too long. Use a shorter DATA_DIR.`);
      await listenPrivately(server, path);
    },
    async stop(deadlineMs) {
      await closeServer(server, deadlineMs);
      await rm(path, { force: true });
    },
  };
}

/** An operation that validates its input by its contract and names the invalid members. */
export function controlOperation<Input, Output>(
  { input: schema }: Call<Input, Output>,
  perform: (input: Input) => Promise<Output>,
): ControlOperations[string] {
  return async (input) => {
    const parsed = schema.safeParse(input);
    if (!parsed.success) throw new GatewayError('invalid_parameters', z.prettifyError(parsed.error));
    return perform(parsed.data);
  };
}

/** Removes the socket of an earlier process first. The lock of the data directory guarantees that it is not running. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await chmod(dirname(path), 0o700);
  await rm(path, { force: true });
  server.listen(path);
  await once(server, 'listening');
}

async function answer(operations: ControlOperations, request: IncomingMessage): Promise<unknown> {
  const name = request.url?.slice(1) ?? '';
  const operation = request.method === 'POST' && Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (operation === undefined) throw new GatewayError('not_found', 'Unknown operation.');
  return operation(await readJson(request));
}

const maxBodyBytes = 64 * 1024;

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBodyBytes)
      throw new GatewayError('request_too_large', `The body exceeds the limit of ${maxBodyBytes} bytes.`);
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
