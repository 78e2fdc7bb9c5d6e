import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTexts, textGroups } from './texts/find-texts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const patterns = [
  '{packages,services}/*/src/**/*.{ts,html}',
  'scripts/**/*.{ts,mjs}',
  'deploy/observability/**/*.{ts,yaml}',
];
const forTests = /\.(test|suite)\.(ts|mjs)$|\/(testing|fixtures|tests|data|kubernetes)\/|\.d\.m?ts$/;

/** `npm run texts [group…]`: prints every text a person meets with its place, by group. */
function main(wanted: readonly string[]): void {
  const unknown = wanted.find((name) => !textGroups.some((group) => group === name));
  if (unknown !== undefined) {
    console.error(`There is no group "${unknown}". The groups are: ${textGroups.join(', ')}.`);
    process.exitCode = 1;
    return;
  }
  const texts = allTexts();
  for (const group of textGroups.filter((name) => wanted.length === 0 || wanted.includes(name))) {
    const lines = texts.filter((found) => found.group === group);
    console.log(`\n${group} (${lines.length})\n`);
    for (const { path, line, text } of lines) console.log(`${path}:${line}  ${text}`);
  }
}

const allTexts = () =>
  globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !forTests.test(path))
    .toSorted()
    .flatMap((path) =>
      findTexts({ path, text: readFileSync(join(root, path), 'utf8') }).map((found) => ({ path, ...found })),
    );

main(process.argv.slice(2));
