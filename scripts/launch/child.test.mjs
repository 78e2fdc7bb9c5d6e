import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { waitUntil } from '../../tests/support/probe.ts';

const childModule = new URL('child.mjs', import.meta.url).href;
const tether = fileURLToPath(new URL('tether.mjs', import.meta.url));

/** A process that uses `runChild` to run the given program text, as run.mjs does. */
function launcher(program) {
  const text = `const { runChild } = await import(${JSON.stringify(childModule)});
    process.exitCode = await runChild(process.execPath, ['--import', ${JSON.stringify(tether)}, '-e', ${JSON.stringify(program)}], {});`;
  return started(
    spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
}

function started(child) {
  const lines = [];
  let rest = '';
  child.stdout.on('data', (chunk) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop();
    lines.push(...parts);
  });
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  const said = (line) => waitUntil(`"${line}" to be said`, () => lines.includes(line));
  return { child, lines, ended, said };
}

const polite = `
  setInterval(() => {}, 1000);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
    console.log('told ' + signal);
    setTimeout(() => process.exit(0), 20);
  });
  console.log('pid ' + process.pid);
  console.log('ready');`;

test.for([
  ['SIGINT', 'SIGINT'],
  ['SIGTERM', 'SIGTERM'],
  ['SIGHUP', 'SIGTERM'],
])('%s reaches the child as %s, and a clean end of it is ours', async ([told, tell]) => {
  const run = launcher(polite);
  await run.said('ready');
  run.child.kill(told);
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(run.lines.slice(2)).toEqual([`told ${tell}`]);
});

test('the same signal from the terminal and from npm reaches the child once', async () => {
  const run = launcher(polite.replace('20)', '300)'));
  await run.said('ready');
  run.child.kill('SIGINT');
  await run.said('told SIGINT');
  run.child.kill('SIGINT');
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(run.lines.slice(2)).toEqual(['told SIGINT']);
});

test.for([
  ['process.exit(7)', 7],
  ["process.kill(process.pid, 'SIGKILL')", 137],
])('the child ends with %s: our exit code is %i', async ([program, code]) => {
  expect(await launcher(program).ended).toEqual({ code, signal: null });
});

test('a launcher killed without a word takes the child with it', async () => {
  const run = launcher(polite);
  await run.said('ready');
  run.child.kill('SIGKILL');
  // The pipe closes when the last process that holds it is gone.
  await run.ended;
  expect(run.lines.slice(2)).toEqual(['told SIGTERM']);
});

test('when our own parent dies, the child is told and everything ends', async () => {
  const inner = `const { spawn } = require('node:child_process');
    const text = ${JSON.stringify(`const { runChild } = await import(${JSON.stringify(childModule)});
      process.exitCode = await runChild(process.execPath, ['-e', ${JSON.stringify(polite)}], {});`)};
    spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: 'inherit' });`;
  const run = started(spawn(process.execPath, ['-e', inner], { stdio: ['ignore', 'pipe', 'inherit'] }));
  await run.said('ready');
  run.child.kill('SIGKILL');
  await run.ended;
  expect(run.lines.slice(2)).toEqual(['told SIGTERM']);
});

test('what the child leaves behind ends with it', async () => {
  const run = launcher(`
    require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
      .once('spawn', () => process.exit(0));`);
  expect(await run.ended).toEqual({ code: 0, signal: null });
});
