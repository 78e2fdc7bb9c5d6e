// Imported by every process of a run of tests: the source of one file is another one. Nothing is written.
import { registerHooks } from 'node:module';
import process from 'node:process';

const { url, source } = JSON.parse(process.env.MUTANT);

registerHooks({
  load: (loaded, context, nextLoad) =>
    loaded === url ? { format: 'module-typescript', source, shortCircuit: true } : nextLoad(loaded, context),
});
