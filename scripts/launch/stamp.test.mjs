import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dependenciesFit, scopeToInstall, stampOf, writeStamp } from './stamp.mjs';

let checkout;
const change = (path, text) => writeFileSync(join(checkout, path), text);

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'tallyport-stamp-'));
  for (const folder of ['node_modules', 'packages/bus', 'services']) {
    mkdirSync(join(checkout, folder), { recursive: true });
  }
  for (const path of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', 'packages/bus/package.json']) {
    change(path, path);
  }
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const install = (scope) => writeStamp(checkout, stampOf(checkout, scope));
const fits = () => ({
  production: dependenciesFit(checkout, 'production'),
  all: dependenciesFit(checkout, 'all'),
});

test('a checkout without a stamp, or with one of another version of Tallyport, does not fit', () => {
  expect(fits()).toEqual({ production: false, all: false });
  writeStamp(checkout, stampOf(checkout, 'all').replace(' all', ''));
  expect(fits()).toEqual({ production: false, all: false });
});

test('production dependencies do not fit a command that needs all, and all fit every command', () => {
  install('production');
  expect(fits()).toEqual({ production: true, all: false });
  install('all');
  expect(fits()).toEqual({ production: true, all: true });
});

test.for(['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', 'packages/bus/package.json'])(
  'a change of %s requires an installation, with the development dependencies if they are installed',
  (path) => {
    install('production');
    expect(scopeToInstall(checkout, 'production')).toBe('production');
    expect(scopeToInstall(checkout, 'all')).toBe('all');
    install('all');
    change(path, 'changed');
    expect(fits()).toEqual({ production: false, all: false });
    expect(scopeToInstall(checkout, 'production')).toBe('all');
  },
);
