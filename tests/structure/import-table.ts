import { allowedImports, everyPackage } from './imports.ts';
import { markdownTable } from './markdown-table.ts';

const titles = ['folder', 'may import', 'from outside'];

/** The allowed imports as a Markdown table. Pure folders use no files, sockets or processes. */
export const importTable = (): string =>
  markdownTable([
    titles,
    ...Object.entries(allowedImports).map(([home, { packages, outside, pure }]) => [
      `\`${home}\`${pure ? ', pure' : ''}`,
      packages === everyPackage ? 'any package' : packages.join(', ') || '–',
      Object.entries(outside)
        .map(([name, where]) => (where === '' ? name : `${name} (\`${where}\`)`))
        .join(', ') || '–',
    ]),
  ]);
