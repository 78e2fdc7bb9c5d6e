import { circlesIn, importGraph } from './circles.ts';
import { homonymRate, homonymsIn, linesOf } from './homonyms.ts';
import { homeOf, isProduction, wholeTree } from './sources.ts';
import type { Source } from './sources.ts';

// Prints the sizes of folders, circles and homonyms: `node tests/structure/measure.ts`.

function printFolders(sources: readonly Source[]): void {
  const folders = Map.groupBy(sources, ({ path }) =>
    /^(packages|services)\//.test(path) ? homeOf(path) : topOf(path),
  );
  const rows = [...folders].map(([folder, files]) => {
    const production = files.filter(isProduction);
    const rest = files.filter((source) => !isProduction(source));
    return [folder, production.length, linesOf(production), rest.length, linesOf(rest)];
  });
  console.log(['folder', 'files', 'lines', 'test files', 'test lines'].join('\t'));
  for (const row of rows) console.log(row.join('\t'));
}

const topOf = (path: string): string => path.split('/', 1).join();

function printCircles(sources: readonly Source[]): void {
  const circles = circlesIn(importGraph(sources));
  console.log(`\ncircles: ${circles.length}`);
  for (const circle of circles) console.log(circle.join(' → '));
}

function printHomonyms(sources: readonly Source[]): void {
  const production = sources.filter(isProduction);
  const homonyms = homonymsIn(production);
  const rate = homonymRate(homonyms, linesOf(production));
  console.log(
    `\nnames exported from more than one file: ${homonyms.size}, ${rate.toFixed(2)} declarations a 1,000 lines`,
  );
  for (const [name, files] of homonyms) console.log(`${name}: ${files.join(' ')}`);
}

const sources = wholeTree();
printFolders(sources);
printCircles(sources);
printHomonyms(sources);
