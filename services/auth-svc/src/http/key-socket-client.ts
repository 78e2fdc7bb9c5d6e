import { request } from 'node:http';
import { authService, type Call } from '@switchyard/contracts';
import { z } from 'zod';
import type { KeyAdministration } from '../key-administration.ts';
import { socketPath } from './socket-path.ts';

const patienceMs = 10_000;

/** The keys of the running instance that holds this data directory. */
export function keysThroughSocket(dataDirectory: string): KeyAdministration {
  const path = socketPath(dataDirectory);
  const { createKey, listKeys, revokeKey } = authService.operations;
  return {
    createKey: (input) => ask({ path, operation: '/createKey', contract: createKey, input }),
    listKeys: (input) => ask({ path, operation: '/listKeys', contract: listKeys, input }),
    revokeKey: (input) => ask({ path, operation: '/revokeKey', contract: revokeKey, input }),
    close: async () => {},
  };
}

interface Question<Input, Output> {
  path: string;
  operation: string;
  contract: Call<Input, Output>;
  input: Input;
}

async function ask<Input, Output>({ path, operation, contract, input }: Question<Input, Output>): Promise<Output> {
  const { status, text } = await post(path, operation, JSON.stringify(input));
  const body: unknown = JSON.parse(text);
  if (status === 200) return contract.output.parse(body);
  throw new Error(refusal.safeParse(body).data?.error.message ?? `The running instance answered ${status}.`);
}

const refusal = z.object({ error: z.object({ message: z.string() }) });

function post(socketPath: string, path: string, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(patienceMs);
    const asked = request({ socketPath, path, method: 'POST', signal }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
