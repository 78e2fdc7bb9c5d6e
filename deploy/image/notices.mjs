import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const licenceFile = /^(licen[cs]e|copying|notice)\b/i;
const line = '-'.repeat(80);

/** The folders of all packages in a store of pnpm. It has each package once, and links to it. */
export const packageFolders = (store) =>
  globSync(['*/node_modules/*', '*/node_modules/@*/*'], {
    cwd: store,
    withFileTypes: true,
    exclude: ['node_modules/**'],
  })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('@'))
    .map((entry) => join(entry.parentPath, entry.name));

/** The notices of packages of others: their names and versions, their licences and the texts of these, each text once. */
export function noticesOf(folders) {
  const packages = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { title: `${name} ${version}: ${license}`, license, text: textsOf(folder) };
  });
  const texts = new Map(packages.map((each) => [each.title, each.text ?? ownerlessText(each, packages) ?? noText]));
  const titlesByText = Map.groupBy([...texts.keys()].toSorted(), (title) => texts.get(title));
  const sections = [...titlesByText].map(([text, titles]) => `${titles.join('\n')}\n\n${text}`);
  return `Packages of others, with their licences.\n\n${sections.map((each) => `${line}\n\n${each}\n`).join('\n')}`;
}

const noText = 'The package has no text of this licence.';

/** This licence names no owner: its text is that of every package. */
const ownerless = 'Apache-2.0';

const ownerlessText = ({ license }, packages) =>
  license === ownerless
    ? packages.find((each) => each.license === ownerless && /^\s*Apache License/.test(each.text))?.text
    : undefined;

function textsOf(folder) {
  const files = readdirSync(folder).filter((name) => licenceFile.test(name) && !name.endsWith('.js'));
  const texts = files.toSorted().map((name) => readFileSync(join(folder, name), 'utf8').trim());
  return texts.join('\n\n') || sectionOfReadme(folder) || undefined;
}

/** Some packages have the text of their licence in their README only. */
function sectionOfReadme(folder) {
  const file = readdirSync(folder).find((name) => /^readme\.md$/i.test(name));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  return /^#+ licen[cs](?:e|ing)\b[^\n]*\n([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(text)?.[1]?.trim();
}
