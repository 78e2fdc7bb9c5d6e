import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { runChild } from './child.mjs';
import { commands } from './commands.mjs';
import { prepare } from './prepare.mjs';
import { Problem, reportProblems } from './problem.mjs';
import { root } from './root.mjs';

/**
 * Where Node keeps what it made of our sources. A process that finds all of them there does not load the compiler that
 * strips types, which is 15 to 20 MB, and starts sooner. Where nothing can be written, Node goes on without.
 */
const compileCache = join(root, '.cache/compile');

/** Sets the checkout up if needed, then runs one command of `commands` until it ends; its exit code becomes ours. */
export function launch(command, args) {
  return reportProblems(async () => {
    const words = commands[command];
    if (!words) throw new Problem(`There is no command "${command}"; there are: ${Object.keys(commands).join(', ')}.`);
    const node = await prepare();
    process.exitCode = await runChild(node, [...nodeOptions(), ...words, ...args], {
      cwd: root,
      env: { NODE_COMPILE_CACHE: compileCache, ...process.env, PATH: searchPath(node) },
    });
  });
}

function nodeOptions() {
  // The tether ends the child when we are killed in a way that leaves us no time to tell it.
  return ['--disable-warning=ExperimentalWarning', '--import', join(root, 'scripts/launch/tether.mjs')];
}

/** Tools started by name find the same Node and the repository's own tools. */
function searchPath(node) {
  return [dirname(node), join(root, 'node_modules/.bin'), process.env.PATH].filter(Boolean).join(delimiter);
}
