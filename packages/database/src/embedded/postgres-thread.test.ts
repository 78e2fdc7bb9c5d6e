import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type DatabaseEvent, isUnavailable, openDatabase, sql } from '../index.ts';
import { preparedDirectory } from '../testing/index.ts';
import { PostgresThread } from './postgres-thread.ts';

const count = (rows: number): string => `select count(*) from generate_series(1, ${rows})`;

describe("the embedded database's thread", () => {
  const leftovers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const remove of leftovers.splice(0).toReversed()) await remove();
  });

  const start = async (): Promise<PostgresThread> => {
    const directory = await preparedDirectory();
    leftovers.push(() => rm(directory, { recursive: true, force: true }));
    const thread = await PostgresThread.start(join(directory, 'postgres'), () => {});
    leftovers.push(() => thread.close(0));
    return thread;
  };

  it('leaves the event loop free while a statement runs', async () => {
    const thread = await start();
    let turns = 0;
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    await thread.query(count(500_000), []);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(10);
  });

  it('finishes the statements sent before it is closed, and refuses later ones', async () => {
    const thread = await start();
    const running = [thread.query(count(100_000), []), thread.query('select 1 as one', [])];
    const closed = thread.close(20_000);
    const late = thread.query('select 1', []).catch((error: unknown) => error);
    expect((await Promise.all(running)).map(({ rows }) => rows)).toEqual([[{ count: 100_000 }], [{ one: 1 }]]);
    await closed;
    expect(await late).toEqual(new Error('The embedded database is closed.'));
  });

  it('is stopped in the middle of a statement that runs longer than closing may take', async () => {
    const thread = await start();
    const running = thread.query(count(1_000_000_000_000), []).catch((error: unknown) => error);
    await thread.close(50);
    expect(await running).toEqual(new Error('The embedded database is closed.'));
  });

  it('sends parameters and results with their types', async () => {
    const thread = await start();
    const at = new Date('2031-02-03T04:05:06.789Z');
    const parameters = [at, 9_007_199_254_740_993n, Buffer.from('bytes'), [1, 2], { deep: [null] }, null];
    const { rows } = await thread.query(
      'select $1::timestamptz as at, $2::int8 as large, $3::bytea as bytes, $4::int[] as list, $5::jsonb as json, $6::text as none',
      parameters,
    );
    expect(rows).toEqual([
      {
        at,
        large: 9_007_199_254_740_993n,
        bytes: new Uint8Array(Buffer.from('bytes')),
        list: [1, 2],
        json: { deep: [null] },
        none: null,
      },
    ]);
  });

  it('sends errors with their fields, but without the values of the statement', async () => {
    const thread = await start();
    await thread.query(`insert into accounts (id, name) values ('acme', 'Acme')`, []);
    const refused = thread.query('insert into accounts (id, name) values ($1, $2)', ['acme', 'secret']);
    const error = await refused.catch((caught: unknown) => caught);
    expect({ ...(error as Error) }).toEqual({
      severity: 'ERROR',
      code: '23505',
      schema: 'public',
      table: 'accounts',
      constraint: 'accounts_pkey',
      detail: 'Key (id)=(acme) already exists.',
    });
  });

  it('is reported when it ends by a fault: running and later queries fail, and the directory is released', async () => {
    const directory = await preparedDirectory();
    leftovers.push(() => rm(directory, { recursive: true, force: true }));
    const events: DatabaseEvent[] = [];
    const database = await openDatabase({ directory, log: (event) => events.push(event) });
    leftovers.push(() => database.close());
    expect(await database.check(20_000)).toEqual({ connected: true });

    await rm(join(directory, 'postgres/global'), { recursive: true });
    const queries = ['checkpoint', 'select 1', 'select 2'].map((statement) =>
      sql
        .raw(statement)
        .execute(database.kysely)
        .catch((error: unknown) => error),
    );
    const [fault, ...later] = await Promise.all(queries);
    // Postgres' own error, unless the end of the thread was reported before its last answer.
    expect(fault).toMatchObject({ message: expect.stringContaining('could not open file') });
    const stopped = expect.stringMatching(/^The embedded database has stopped \(.+\)\. Restart Tallyport/);
    expect(later).toMatchObject([{ message: stopped }, { message: stopped }]);
    expect(later.map(isUnavailable)).toEqual([true, true]);
    expect(await database.check(20_000)).toEqual({ connected: false, error: stopped });
    expect(events).toMatchObject([{ kind: 'connection_lost', error: { message: stopped } }]);
    await database.close();
    expect(await openDatabase({ directory }).catch((error: unknown) => error)).toMatchObject({
      message: expect.stringContaining('cannot be opened'),
    });
  });
});
