import { randomBytes } from 'node:crypto';
import { hashKey } from '@tallyport/contracts';
import { z } from 'zod';
import { parsed, problemOfError } from '../../answer-problem.ts';
import { describe, longestMs } from '../../client.ts';
import type { MoneySystem } from '../../system.ts';
import type { Use } from './feature.ts';

/** An error of the table of errors, with its status and code: `503 unavailable`. */
export class Refusal extends Error {}

interface Sent {
  edge: number;
  apiKey: string;
  method?: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: object;
}

/** The form of errors at `/mcp`, also of those that edge sends while no mcp-svc answers. */
const rpcErrorSchema = z.object({
  jsonrpc: z.literal('2.0'),
  error: z.object({ code: z.int(), message: z.string().min(1) }),
});

/** Sends a request and returns the JSON of its answer. Throws a `Refusal` for an error of the table of errors. */
export async function send({ gateway }: MoneySystem, request: Sent): Promise<Record<string, unknown>> {
  const { edge, apiKey, method = 'POST', path, headers, body } = request;
  const response = await fetch(`${gateway.baseUrls[edge]}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(longestMs),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(lastEvent(text) ?? text) as Record<string, unknown>;
  const { data } = rpcErrorSchema.safeParse(parsed(text));
  if (path === '/mcp' && response.status >= 500 && data !== undefined) {
    throw new Refusal(`${response.status} ${data.error.code}`);
  }
  const problem = problemOfError(text, response.status);
  if (problem !== undefined) throw new Error(problem);
  const { error } = JSON.parse(text) as { error: { code: string | null } };
  throw new Refusal(`${response.status} ${error.code}`);
}

/** The data of the last event, if the answer is a stream. */
const lastEvent = (text: string): string | undefined => [...text.matchAll(/^data: (.+)$/gm)].at(-1)?.[1];

/** Times a use. A refusal is a result, every other error a problem. */
export async function timed(
  feature: string,
  edge: number,
  work: () => Promise<Partial<Pick<Use, 'problem' | 'result' | 'asked'>> | undefined>,
): Promise<Use> {
  const from = Date.now();
  const ended = await work().then(
    (use) => ({ result: 'done', ...use }),
    (error: unknown) =>
      error instanceof Refusal
        ? { result: error.message }
        : { result: 'no answer', problem: `${feature}: ${describe(error)}` },
  );
  return { feature, edge, from, until: Date.now(), ...ended };
}

/** Adds a key to the account of the soak, without asking the gateway. */
export async function addKey({ database }: MoneySystem, isAdmin = false): Promise<string> {
  const key = `soak-${randomBytes(18).toString('hex')}`;
  const id = `key_${key.slice(5, 17)}`;
  await database.kysely
    .insertInto('api_keys')
    .values({ id, account_id: 'default', name: 'soak', prefix: 'soak', key_hash: hashKey(key), is_admin: isAdmin })
    .execute();
  return key;
}
