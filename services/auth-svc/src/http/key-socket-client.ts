import { request } from 'node:http';
import { authService, type Call } from '@switchyard/contracts';
import type { DirectoryInUseError } from '@switchyard/database';
import { StartError } from '@switchyard/service-kit';
import { z } from 'zod';
import type { KeyAdministration } from '../key-administration.ts';
import { socketPath } from './socket-path.ts';

const patienceMs = 10_000;

/** The keys of the running instance that holds the data directory. */
export function keysThroughSocket(holder: DirectoryInUseError): KeyAdministration {
  const { createKey, listKeys, revokeKey } = authService.operations;
  return {
    createKey: (input) => ask({ holder, operation: '/createKey', contract: createKey, input }),
    listKeys: (input) => ask({ holder, operation: '/listKeys', contract: listKeys, input }),
    revokeKey: (input) => ask({ holder, operation: '/revokeKey', contract: revokeKey, input }),
    close: async () => {},
  };
}

interface Question<Input, Output> {
  holder: DirectoryInUseError;
  operation: string;
  contract: Call<Input, Output>;
  input: Input;
}

async function ask<Input, Output>({ holder, operation, contract, input }: Question<Input, Output>): Promise<Output> {
  const { directory, pid } = holder;
  const { status, text } = await post(socketPath(directory), operation, JSON.stringify(input)).catch(
    (cause: unknown) => {
      const who = `The data directory ${directory} is in use by process ${pid}`;
      throw new StartError(`${who}, which does not take commands: stop it, then try again.`, { cause });
    },
  );
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
