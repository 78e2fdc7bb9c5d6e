import type { CallInAccount } from '@tallyport/gateway-document';
import { type ApiOperation, type ManagementOperations, managementOperations } from '@tallyport/management';
import { z } from 'zod';

/** The gateway refused a call, or did not answer it. */
class CallError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CallError';
    this.code = code;
  }
}

const deadlineMs = 30_000;

/** The management API over HTTP, with an admin key. */
export function httpCalls({ url, key }: { url: string; key: string }): CallInAccount {
  return async <Name extends keyof ManagementOperations>(name: Name, input: object, accountId?: string) => {
    const operation: ApiOperation = managementOperations[name];
    const { path, rest } = placed(operation.path, input);
    const isBody = operation.method !== 'GET' && operation.method !== 'DELETE';
    const address = new URL(`${url}/api/v1${path}`);
    if (!isBody) for (const [member, value] of Object.entries(rest)) address.searchParams.set(member, String(value));
    const response = await send(address, {
      method: operation.method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(accountId !== undefined && { 'x-tallyport-account': accountId }),
        ...(isBody && { 'content-type': 'application/json' }),
      },
      ...(isBody && { body: JSON.stringify(rest) }),
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
    });
    return operation.output.parse(response) as z.output<ManagementOperations[Name]['output']>;
  };
}

/** Puts members of the path into it; the others are sent as body or query. */
function placed(path: string, input: object): { path: string; rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...input };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, member: string) => {
    const value = String(rest[member]);
    delete rest[member];
    return encodeURIComponent(value);
  });
  return { path: filled, rest };
}

async function send(address: URL, init: RequestInit): Promise<unknown> {
  const response = await fetch(address, init).catch((cause: unknown) => {
    throw new CallError('unreachable', `${address.origin} cannot be reached. Check --url, and that it runs.`, {
      cause,
    });
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body;
  const { error } = errorSchema.safeParse(body).data ?? {};
  throw new CallError(
    error?.code ?? 'unknown',
    error?.message ?? `${address.origin} answered with status ${response.status}. Check --url.`,
  );
}

const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
