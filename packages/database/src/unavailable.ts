/**
 * Whether the database could not be reached or could not serve now, as opposed to refusing this statement.
 * True promises that the same call may succeed later without any change.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (socketCodes.has(code) || isTransientState(code)) return true;
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
  'ETIMEDOUT',
]);

/** SQLSTATE classes and codes that speak of the server's state and not of the statement. */
function isTransientState(code: string): boolean {
  return /^(08|53)[0-9A-Z]{3}$/.test(code) || transientStates.has(code);
}

const transientStates = new Set([
  '25006', // read only: a standby was reached while it takes over
  '55P03', // a lock was not to be had in time
  '57014', // the statement's time was up
  '57P01', // administrator ends connections
  '57P02', // crash of another connection
  '57P03', // starting up or shutting down
  '57P05', // idle session ended
]);

/** What `pg` and PGlite say without a code. */
const driverMessages = [
  'Client has encountered a connection error',
  'Client was closed',
  'Connection terminated',
  'Database is closed',
  'PGlite is closed',
  'timeout exceeded when trying to connect',
  'timeout expired',
];
