/**
 * Whether the error means that the database is unreachable or cannot serve now, rather than that it refused the
 * statement. If true, the same call may succeed later without a change.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (socketCodes.has(code) || tlsCode.test(code) || isStateOfServer(code)) return true;
  return driverMessages.some((message) => error.message.startsWith(message)) || isUnavailable(error.cause);
}

const socketCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT', // a Unix socket that is not there
  'ENOTFOUND',
  'EPIPE',
  'EPROTO',
  'ETIMEDOUT',
]);

/** Certificates that have been changed or have expired. */
const tlsCode = /^(ERR_(SSL|TLS)_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** The form of an SQLSTATE; not the codes of PL/pgSQL (P0), which are our own triggers' refusals. */
const sqlState = /^([0-9][0-9A-Z]|F0|HV|XX)[0-9A-Z]{3}$/;

/**
 * Classes of errors in the statement or its values, which will fail again: unsupported feature, cardinality, data,
 * integrity, dependent objects, syntax and access, check option, program limit. A list of server errors instead would
 * never be complete.
 */
const aboutStatement = /^(0A|21|22|23|2B|42|44|54)/;

/** Codes in those classes that a temporarily missing schema or permission causes. */
const aboutSchema = new Set([
  '42501', // no right to
  '42703', // no such column
  '42704', // no such object
  '42883', // no such function
  '42P01', // no such table
]);

const isStateOfServer = (code: string): boolean =>
  sqlState.test(code) && (!aboutStatement.test(code) || aboutSchema.has(code));

/** Messages of `pg` and of the embedded database without a code. */
const driverMessages = [
  'Client has encountered a connection error',
  'Client was closed',
  'Connection terminated',
  'The embedded database has stopped',
  'The embedded database is closed',
  'SASL: ',
  'The server does not support SSL connections',
  'timeout exceeded when trying to connect',
  'timeout expired',
];
