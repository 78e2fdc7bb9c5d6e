import { type Kysely, sql } from 'kysely';
import type { DatabaseHealth } from './database.ts';
import type { Schema } from './schema.ts';

/** Runs a trivial query with a deadline. After the deadline, the connection's own limits end the query. */
export async function checkWithin(kysely: Kysely<Schema>, timeoutMs: number): Promise<DatabaseHealth> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<DatabaseHealth>((resolve) => {
    timer = setTimeout(() => resolve({ connected: false, error: `No answer within ${timeoutMs} ms.` }), timeoutMs);
  });
  try {
    return await Promise.race([ask(kysely), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function ask(kysely: Kysely<Schema>): Promise<DatabaseHealth> {
  try {
    await sql`select 1`.execute(kysely);
    return { connected: true };
  } catch (error) {
    return { connected: false, error: describe(error) };
  }
}

/** An unreachable host with several addresses fails with an AggregateError, whose own message is empty. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describe).join('; ');
  const message = error instanceof Error ? error.message : String(error);
  return /unsupported startup parameter/.test(message) ? `${message}. ${poolerAdvice}` : message;
}

const poolerAdvice =
  'Add statement_timeout, lock_timeout and idle_in_transaction_session_timeout to ignore_startup_parameters of the pooler, and set them for the user of DATABASE_URL.';
