import { request } from 'node:http';
import type { Call } from '@tallyport/contracts';
import { z } from 'zod';
import { StartError } from '../life/start-error.ts';

/** Removing demo data takes longest. */
const timeoutMs = 60_000;

interface ControlQuestion<Input, Output> {
  path: string;
  /** The error message when no instance listens: which process holds the data, and what to do. */
  unheard: string;
  operation: string;
  contract: Call<Input, Output>;
  input: Input;
}

/** Calls a running instance through its control socket. Rejects with the message of the instance when it refuses. */
export async function callControl<Input, Output>(question: ControlQuestion<Input, Output>): Promise<Output> {
  const { path, unheard, operation, contract, input } = question;
  const { status, text } = await post(path, `/${operation}`, JSON.stringify(input)).catch((cause: unknown) => {
    throw new StartError(unheard, { cause });
  });
  const body: unknown = JSON.parse(text);
  if (status === 200) return contract.output.parse(body);
  throw new Error(
    refusal.safeParse(body).data?.error.message ?? `The running instance answered with status ${status}.`,
  );
}

const refusal = z.object({ error: z.object({ message: z.string() }) });

function post(socketPath: string, path: string, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = request({ socketPath, path, method: 'POST', signal }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
