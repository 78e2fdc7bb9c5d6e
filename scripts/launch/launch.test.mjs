import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isWritable } from './homes.mjs';
import { because } from './quiet.mjs';
import { ownNodeFits } from './toolchain.mjs';

const runScript = fileURLToPath(new URL('../run.mjs', import.meta.url));

function run(args, nodeArgs = []) {
  const child = spawn(process.execPath, [...nodeArgs, runScript, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, errors })));
}

test('reports an unknown command and lists the known ones', async () => {
  expect(await run(['fly'])).toEqual({
    code: 1,
    errors:
      'Unknown command "fly". Commands: agents, apply, bench, catalog, check, demo, demo-data, dev, distributed, docs, format, fuzz, import, key, mutate, pictures, recalculate, reconcile, release, routes, secrets, soak, start, test, test:ci, test:long, test:unit, texts, user, verify:deploy.\n',
  });
});

test('reports a Node that is too old', async () => {
  const older = "Object.defineProperty(process.versions, 'node', { value: '16.20.2' })";
  expect(await run(['start'], ['--import', `data:text/javascript,${encodeURIComponent(older)}`])).toEqual({
    code: 1,
    errors: 'Tallyport needs Node 18 or newer to start; this is Node 16.20.2.\n',
  });
});

test.for([
  ['18.20.4', false],
  ['20.20.2', false],
  ['22.18.0', false],
  ['22.19.0', true],
  ['23.11.0', false],
  ['24.0.0', true],
  ['24.21.0', true],
  ['25.1.0', false],
  ['26.0.0', true],
])('Node %s is supported: %s', ([version, fits]) => {
  expect(ownNodeFits(version)).toBe(fits);
});

test.for([
  ['npm error code ENOTFOUND', /registry cannot be reached; the first start needs the network/],
  ['npm error code EAI_AGAIN', /registry cannot be reached/],
  ['Error: ENOSPC: no space left on device', /disk is full/],
  ['EACCES: permission denied, mkdir', /cannot be written/],
  ['Error: ERR_PNPM_OUTDATED_LOCKFILE', /run `pnpm install` and commit both$/],
  ['first line\nnpm error code E404\nmore', /^: npm error code E404$/],
  ['', /^$/],
])('explains "%s"', ([output, sentence]) => {
  expect(because(output)).toMatch(sentence);
});

test('isWritable tests the nearest existing parent of a missing folder', () => {
  expect(isWritable(`${fileURLToPath(new URL('.', import.meta.url))}not/there/yet`)).toBe(true);
  expect(isWritable('/proc/not/there')).toBe(false);
});
