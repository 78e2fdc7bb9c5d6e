import pino from 'pino';
import { describeError } from './describe-error.ts';
import type { LogDestination } from './destination.ts';
import { createRedact, redactHeaders } from './redact.ts';
import type { Redact } from './redact.ts';

export type Fields = Readonly<Record<string, unknown>>;

interface LogMethod {
  (message: string): void;
  /** The fields `error`, `headers` and `url` are redacted. From warnings on, all other text is too. */
  (fields: Fields, message: string): void;
}

/**
 * Writes one JSON line per event. On hot paths pass `requestId` as a field; a child is for objects that log several
 * lines.
 */
export interface Log {
  readonly trace: LogMethod;
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  readonly fatal: LogMethod;
  isLevelEnabled(level: string): boolean;
  child(fields: Fields): Log;
}

interface LogOptions {
  readonly service: string;
  readonly level: string;
  readonly destination: Pick<LogDestination, 'write'>;
  /** Values of the configuration that must never be logged. */
  readonly secrets?: readonly string[];
  /** Additional fields of every line, evaluated when it is written. */
  readonly fields?: (() => Fields) | undefined;
}

const warnLevel = 40;

export function createLog({ service, level, destination, secrets, fields }: LogOptions): Log {
  const redact = createRedact(secrets);
  const options: pino.LoggerOptions = {
    level,
    base: { service, pid: process.pid },
    messageKey: 'message',
    errorKey: 'error',
    timestamp: isoTime(),
    formatters: { level: (label) => ({ level: label }) },
    serializers: {
      error: (thrown: unknown) => describeError(thrown, redact),
      headers: redactHeaders,
      url: (url: unknown) => redact(String(url)),
    },
    hooks: { logMethod: scrubbed(redact) },
    ...(fields && { mixin: () => ({ ...fields() }) }),
  };
  return pino(options, destination);
}

/** Like `isoTime` of pino, which formats the whole date for every line. Here only the milliseconds are. */
function isoTime(): () => string {
  let second = -1;
  let start = '';
  return () => {
    const now = Date.now();
    const ms = now % 1000;
    if (now - ms !== second) {
      second = now - ms;
      start = `,"time":"${new Date(second).toISOString().slice(0, -4)}`;
    }
    return `${start}${String(ms).padStart(3, '0')}Z"`;
  };
}

/** A log without output, for tests and tools. */
export function silentLog(): Log {
  return createLog({ service: 'silent', level: 'silent', destination: { write() {} } });
}

/**
 * From warnings on, text may contain a vendor's words. Below, it is our own fixed text, and scanning would cost more
 * than the line.
 */
function scrubbed(redact: Redact): NonNullable<pino.LoggerOptions['hooks']>['logMethod'] {
  return function scrub(values, method, level) {
    if (level >= warnLevel) {
      const parts: unknown[] = values;
      for (const [index, part] of parts.entries()) parts[index] = scrubPart(part, redact);
    }
    method.apply(this, values);
  };
}

function scrubPart(part: unknown, redact: Redact): unknown {
  if (typeof part === 'string') return redact(part);
  if (typeof part !== 'object' || part === null || part instanceof Error) return part;
  const entries = Object.entries(part);
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value]));
}
