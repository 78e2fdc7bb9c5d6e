import {
  AbortedTransactionError,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PGliteAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { PostgresThread } from './postgres-thread.ts';

/** Kysely over the thread's only connection. The adapter makes queries wait until a running transaction has ended. */
export function threadDialect(thread: PostgresThread, closeMs: number): Dialect {
  return {
    createAdapter: () => new PGliteAdapter(),
    createDriver: () => createDriver(thread, closeMs),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function createDriver(thread: PostgresThread, closeMs: number): Driver {
  const connection = createConnection(thread);
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: async () => void (await thread.query('begin', [])),
    async commitTransaction() {
      const { command } = await thread.query('commit', []);
      // Postgres does not refuse to commit a transaction in which a statement has failed, but rolls it back.
      if (command === 'ROLLBACK') throw new AbortedTransactionError();
    },
    rollbackTransaction: async () => void (await thread.query('rollback', [])),
    destroy: () => thread.close(closeMs),
  };
}

function createConnection(thread: PostgresThread): DatabaseConnection {
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      try {
        const { rows, affectedRows } = await thread.query(sql, parameters);
        const numAffectedRows = affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) };
        return { rows: rows as Row[], ...numAffectedRows };
      } catch (error) {
        if (error instanceof Error) Error.captureStackTrace(error); // with the callers of the query
        throw error;
      }
    },
    streamQuery() {
      throw new Error('The embedded database does not stream.');
    },
  };
}
