import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { runChild } from './child.mjs';
import { commands, dependenciesOf, environmentOf } from './commands.mjs';
import { prepare } from './prepare.mjs';
import { Problem, reportProblems } from './problem.mjs';
import { root } from './root.mjs';

/**
 * Node's compile cache for our sources. A process that finds all its files here does not load the type-stripping
 * compiler (15 to 20 MB) and starts faster. If the folder cannot be written, Node runs without a cache.
 */
const compileCache = join(root, '.cache/compile');

/** Sets up the checkout if needed, runs one of `commands` to its end, and takes over its exit code. */
export function launch(command, args) {
  return reportProblems(async () => {
    const nodeArgs = commands[command];
    if (!nodeArgs) throw new Problem(`Unknown command "${command}". Commands: ${Object.keys(commands).join(', ')}.`);
    const node = await prepare(dependenciesOf(command));
    process.exitCode = await runChild(node, [...nodeOptions(), ...nodeArgs, ...args], {
      cwd: root,
      env: { NODE_COMPILE_CACHE: compileCache, ...environmentOf(command), ...process.env, PATH: searchPath(node) },
    });
  });
}

function nodeOptions() {
  // The tether ends the child if we are killed before we can signal it.
  return ['--disable-warning=ExperimentalWarning', '--import', join(root, 'scripts/launch/tether.mjs')];
}

/** Tools started by name find this Node and the repository's tools first. */
function searchPath(node) {
  return [dirname(node), join(root, 'node_modules/.bin'), process.env.PATH].filter(Boolean).join(delimiter);
}
