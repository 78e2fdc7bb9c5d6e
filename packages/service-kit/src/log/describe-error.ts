import { GatewayError } from '@tallyport/contracts';
import type { Redact } from './redact.ts';

const deepest = 5;

/** Describes a thrown value for the log: its message, its causes, and the stack if the fault is ours. */
export function describeError(thrown: unknown, redact: Redact): object {
  return describe(thrown, redact, 1);
}

function describe(thrown: unknown, redact: Redact, depth: number): object {
  if (!(thrown instanceof Error)) return { message: redact(asText(thrown)) };
  const own = thrown instanceof GatewayError ? gatewayFields(thrown, redact) : { ...codeOf(thrown) };
  const showStack = thrown.stack !== undefined && (!(thrown instanceof GatewayError) || thrown.domain === 'gateway');
  return {
    name: thrown.name,
    message: redact(thrown.message),
    ...own,
    ...(showStack && { stack: redact(thrown.stack ?? '') }),
    ...(thrown.cause !== undefined && { cause: causeOf(thrown.cause, redact, depth) }),
    ...(thrown instanceof AggregateError && {
      errors: thrown.errors.slice(0, deepest).map((error: unknown) => causeOf(error, redact, depth)),
    }),
  };
}

function causeOf(cause: unknown, redact: Redact, depth: number): object {
  return depth >= deepest ? { message: '… more causes' } : describe(cause, redact, depth + 1);
}

function gatewayFields(error: GatewayError, redact: Redact): object {
  const { code, status, domain, param, retryAfterMs, attempts, detail } = error;
  return {
    code,
    status,
    domain,
    param,
    retryAfterMs,
    attempts,
    detail: detail === undefined ? undefined : redact(detail),
  };
}

function codeOf(error: Error): object {
  const { code } = error as Error & { code?: unknown };
  return typeof code === 'string' || typeof code === 'number' ? { code } : {};
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'a value that cannot be shown';
  }
}
