import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { preparedDirectory } from '../testing/index.ts';

/** Opens the directory in a thread, as services do, and parses and plans much more than makes V8 optimise a function. */
const user = `
  const { openDatabase, sql } = await import(process.argv[1]);
  const database = await openDatabase({ directory: process.argv[2] });
  globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }); // as at the end of a start
  const list = Array.from({ length: 500 }, (_, at) => at + 1).join('+');
  for (let round = 0; round < 60; round += 1) await sql.raw('select ' + list).execute(database.kysely);
  await database.close();
`;

it('optimises what is used much, except the parser, which takes 600 MB', async () => {
  const directory = await preparedDirectory();
  const index = new URL('../index.ts', import.meta.url).href;
  const flags = ['--expose-gc', '--trace-wasm-compilation-times', '--input-type=module'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', user, index, directory], {
    maxBuffer: 32 * 1024 ** 2,
  });
  await rm(directory, { recursive: true });
  const compiled = stdout.matchAll(/function (\w+)#\d+ using (\w+), took \d+ ms and (\d+)/g);
  const functions = Array.from(compiled, ([, module, compiler, bytes]) => ({ module, compiler, bytes }));
  // The other module strips types, before this one is compiled.
  const postgres = functions.at(-1)?.module;
  const optimised = functions.filter(({ module, compiler }) => module === postgres && compiler === 'TurboFan');
  const megabytes = optimised.map(({ bytes }) => Number(bytes) / 1024 ** 2);
  expect(megabytes.length).toBeGreaterThan(10);
  expect(Math.max(...megabytes)).toBeLessThan(100);
});
