import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Copies the folder of a package as images have it: without tests, and with JavaScript in place of TypeScript. A
 * process that loads one TypeScript file keeps the compiler for it: 10 MB, and half a second of CPU at every start.
 */
export function copyPackage(from, to) {
  copyNeeded(from, to);
  for (const file of globSync('src/**/*.ts', { cwd: to })) replaceWithJavaScript(join(to, file));
  const manifest = join(to, 'package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/("\.\/src\/[^"]*)\.ts"/g, '$1.mjs"'));
}

/**
 * Copies all packages and services as images have them, for measurements and tests. Third-party packages are shared.
 */
export function copyWorkspace(workspace, to) {
  for (const folder of globSync('{packages,services}/*', { cwd: workspace }))
    copyPackage(join(workspace, folder), join(to, folder));
  symlinkSync(join(workspace, 'node_modules'), join(to, 'node_modules'));
}

/**
 * Keeps symbolic links: packages of the workspace find each other by them.
 */
export function copyNeeded(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
}

/**
 * Leaves out the source maps of third-party packages, and our files that only tests and the compiler need.
 */
const isNeeded = (path) =>
  path.includes('/node_modules/')
    ? !path.endsWith('.map')
    : !/\.(test|suite|d)\.ts$|\/(testing|__snapshots__)$/.test(path);

/**
 * Types become spaces, so the lines in a stack trace are those of the source. Named `.mjs`, because a `.js` for browsers
 * may have the same name.
 */
function replaceWithJavaScript(file) {
  const script = stripTypeScriptTypes(readFileSync(file, 'utf8'));
  const named = script.replace(/(['"])(\.{1,2}\/[^'"\n]*)\.ts\1/g, '$1$2.mjs$1');
  writeFileSync(file.replace(/ts$/, 'mjs'), named, { flag: 'wx' });
  rmSync(file);
}
