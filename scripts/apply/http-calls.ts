import type { CallInAccount } from '@tallyport/gateway-document';
import {
  type ApiOperation,
  type ManagementOperations,
  managementOperations,
  revisionHeader,
} from '@tallyport/management';
import { z } from 'zod';

interface CallErrorOptions extends ErrorOptions {
  param?: string | null | undefined;
}

/** The gateway refused a call, or did not answer it. */
export class CallError extends Error {
  readonly code: string;
  /** The revision that the call was planned on is not the last one. */
  readonly isOutdated: boolean;
  constructor(code: string, message: string, { param, ...options }: CallErrorOptions = {}) {
    super(message, options);
    this.name = 'CallError';
    this.code = code;
    this.isOutdated = param === revisionHeader;
  }
}

interface HttpCallsOptions {
  url: string;
  key: string;
  /** The revision that changes are planned on. Each change makes the next one; absent while nothing is changed. */
  revision?: string;
}

const deadlineMs = 30_000;

/** The management API over HTTP, with an admin key. */
export function httpCalls({ url, key, revision: planned }: HttpCallsOptions): CallInAccount {
  let revision = planned;
  return async <Name extends keyof ManagementOperations>(name: Name, input: object, accountId?: string) => {
    const operation: ApiOperation = managementOperations[name];
    const { path, rest } = placed(operation.path, input);
    const isBody = operation.method !== 'GET' && operation.method !== 'DELETE';
    const address = new URL(`${url}/api/v1${path}`);
    if (!isBody) for (const [member, value] of Object.entries(rest)) address.searchParams.set(member, String(value));
    const answer = await send(address, {
      method: operation.method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(accountId !== undefined && { 'x-tallyport-account': accountId }),
        ...(isBody && { 'content-type': 'application/json' }),
        ...(operation.method !== 'GET' && revision !== undefined && { [revisionHeader]: revision }),
      },
      ...(isBody && { body: JSON.stringify(rest) }),
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
    });
    revision = answer.revision ?? revision;
    return operation.output.parse(answer.body) as z.output<ManagementOperations[Name]['output']>;
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

async function send(address: URL, init: RequestInit): Promise<{ body: unknown; revision: string | undefined }> {
  const response = await fetch(address, init).catch((cause: unknown) => {
    throw new CallError('unreachable', `${address.origin} cannot be reached. Check --url, and that it runs.`, {
      cause,
    });
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return { body, revision: response.headers.get(revisionHeader) ?? undefined };
  const { error } = errorSchema.safeParse(body).data ?? {};
  throw new CallError(
    error?.code ?? 'unknown',
    error?.message ?? `${address.origin} answered with status ${response.status}. Check --url.`,
    { param: error?.param },
  );
}

const errorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), param: z.string().nullish() }),
});
