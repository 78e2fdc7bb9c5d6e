import { setFlagsFromString } from 'node:v8';
import type { PGlite } from '@electric-sql/pglite';
import { openPglite } from './open-pglite.ts';

/**
 * Opens PGlite so that V8 optimises the functions of Postgres that are used much, except its parser. A statement then
 * needs a third less CPU. The parser is one function of 100 KB, and optimising it would take 600 MB for a second.
 *
 * V8 decides whether it may ever optimise a function when it first compiles it. So nothing that is compiled while the
 * files are opened may be optimised. Then V8 forgets that code, a statement compiles the parser again, and after it all
 * functions may be optimised. The flags hold for the whole process, but it has no other large WebAssembly.
 */
export async function openOptimising(files: string | undefined): Promise<PGlite> {
  setFlags(['--wasm-tier-up-filter=2147483647', `--wasm-tiering-budget=${usedMuch}`]); // one function, which does not exist
  const pglite = await openPglite(files);
  // Also collects the garbage of opening, which V8 would keep until the heap has grown.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  await pglite.query(refusedByParser).catch(() => {});
  setFlags(['--wasm-tier-up-filter=-1', '--no-flush-liftoff-code']); // all functions; forgets no code any more
  return pglite;
}

/** Twenty times V8's default, so that little is optimised during the start of the process. */
const usedMuch = 300_000_000;

const refusedByParser = 'refused';

const setFlags = (flags: readonly string[]): void => flags.forEach((flag) => setFlagsFromString(flag));
