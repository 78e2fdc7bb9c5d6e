import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { packageFolders } from '../../deploy/image/notices.mjs';
import { foreignPackages, installNode, thirdPartyNotices } from './notices.ts';
import { pathOf } from './repository.ts';

await installNode();

const manifestSchema = z.object({ version: z.string(), license: z.string() });
const packages = foreignPackages();
const installed = packages.flatMap(({ name, version, folder }) => {
  if (folder === undefined) return [];
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  return [{ name, version, found: manifest.version, licence: manifest.license }];
});

/** Licences that allow to distribute a package with ours, as long as its notice stays with it. */
const permissive = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'Unlicense'];

describe('packages of others in images', () => {
  test('are installed, except those for another system', () => {
    const missing = packages.flatMap(({ name, folder }) => (folder === undefined ? [name] : []));
    expect(missing.filter((name) => !name.startsWith('@img/'))).toEqual([]);
    expect(installed.length).toBeGreaterThan(150);
    expect(installed.filter(({ version, found }) => version !== found)).toEqual([]);
  });

  // A new licence needs a decision: read what it asks for, then add it here.
  test('have licences that allow to distribute them', () => {
    const others = installed.filter(({ licence }) => !permissive.includes(licence));
    // Loaded as a library that users can replace, which the LGPL allows.
    expect(others.filter(({ name, licence }) => !`${name} ${licence}`.match(libvips))).toEqual([]);
  });
});

const libvips = /^@img\/sharp-libvips-[a-z0-9-]+ LGPL-3\.0-or-later$/;

describe('the notices of a release', () => {
  const notices = thirdPartyNotices();

  test('name Node and every package with its licence', () => {
    const missing = installed.filter(
      ({ name, version, licence }) => !notices.includes(`${name} ${version}: ${licence}\n`),
    );
    expect(missing).toEqual([]);
    expect(notices).toMatch(/^node-[a-z0-9-]+ 24\.\d+\.\d+: /m);
  });

  test('have the text of each licence, also if only the README of the package has it', () => {
    expect(notices).toContain('Copyright (c) 2014 Brian M. Carlson');
    expect(notices).not.toContain('has no text of this licence');
  });
});

test('an image finds every package in the store of pnpm', () => {
  const folders = packages.flatMap(({ folder }) => folder ?? []);
  expect(packageFolders(pathOf('node_modules/.pnpm'))).toEqual(expect.arrayContaining(folders));
});
