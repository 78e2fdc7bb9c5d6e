import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { waitUntil } from '../../tests/support/probe.ts';

const childModule = new URL('child.mjs', import.meta.url).href;
const tether = fileURLToPath(new URL('tether.mjs', import.meta.url));

/** Starts a process that runs the given program text with `runChild`, as run.mjs does. */
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
  const printed = (line) => waitUntil(`"${line}" to be printed`, () => lines.includes(line));
  return { child, lines, ended, printed };
}

const programUntilSignal = `
  setInterval(() => {}, 1000);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
    console.log('received ' + signal);
    // Pause: the program ends while the signal is on its way.
    setTimeout(() => process.exit(0), 20);
  });
  console.log('pid ' + process.pid);
  console.log('ready');`;

test.for([
  ['SIGINT', 'SIGINT'],
  ['SIGTERM', 'SIGTERM'],
  ['SIGHUP', 'SIGTERM'],
])('forwards %s to the child as %s and exits with its exit code', async ([sent, forwarded]) => {
  const run = launcher(programUntilSignal);
  await run.printed('ready');
  run.child.kill(sent);
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(run.lines.slice(2)).toEqual([`received ${forwarded}`]);
});

test('forwards a signal once when both the terminal and npm send it', async () => {
  const run = launcher(programUntilSignal.replace('20)', '300)'));
  await run.printed('ready');
  run.child.kill('SIGINT');
  await run.printed('received SIGINT');
  run.child.kill('SIGINT');
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(run.lines.slice(2)).toEqual(['received SIGINT']);
});

test.for([
  ['process.exit(7)', 7],
  ["process.kill(process.pid, 'SIGKILL')", 137],
])('when the child ends with %s, exits with code %i', async ([program, code]) => {
  expect(await launcher(program).ended).toEqual({ code, signal: null });
});

test('ends the child when the launcher is killed', async () => {
  const run = launcher(programUntilSignal);
  await run.printed('ready');
  run.child.kill('SIGKILL');
  // The pipe closes when the last process that holds it is gone.
  await run.ended;
  expect(run.lines.slice(2)).toEqual(['received SIGTERM']);
});

test('sends SIGTERM to the child when the parent of the launcher dies', async () => {
  const inner = `const { spawn } = require('node:child_process');
    const text = ${JSON.stringify(`const { runChild } = await import(${JSON.stringify(childModule)});
      process.exitCode = await runChild(process.execPath, ['-e', ${JSON.stringify(programUntilSignal)}], {});`)};
    spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: 'inherit' });`;
  const run = started(spawn(process.execPath, ['-e', inner], { stdio: ['ignore', 'pipe', 'inherit'] }));
  await run.printed('ready');
  run.child.kill('SIGKILL');
  await run.ended;
  expect(run.lines.slice(2)).toEqual(['received SIGTERM']);
});

test('kills the processes that the child leaves behind', async () => {
  const run = launcher(`
    require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
      .once('spawn', () => process.exit(0));`);
  expect(await run.ended).toEqual({ code: 0, signal: null });
});
