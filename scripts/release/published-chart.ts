import { globSync } from 'node:fs';
import { parseDocument, stringify } from 'yaml';
import { pathOf, read } from './repository.ts';

interface Publication {
  version: string;
  /** The section of the changelog with the changes of the version. */
  section: string;
  /** Registry and folder of the images, as `registry.example.com/team`. */
  registry: string;
  /** The address of the repository. */
  source: string;
}

const home = 'deploy/helm/tallyport';

/** The files of the chart as users install it: with the registry of its images, and what Artifact Hub shows. */
export function publishedChart(publication: Publication): ReadonlyMap<string, string> {
  const paths = globSync('**/*', { cwd: pathOf(home), withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [`${entry.parentPath}/${entry.name}`.slice(pathOf(home).length + 1)] : [],
  );
  const files = new Map(paths.toSorted().map((path) => [path, read(`${home}/${path}`)]));
  return new Map([
    ...files,
    ['LICENSE', read('LICENSE')],
    ['Chart.yaml', chartFile(String(files.get('Chart.yaml')), imagesOf(files), publication)],
    ['README.md', readme(String(files.get('README.md')), publication)],
    ['values.yaml', valuesFile(String(files.get('values.yaml')), publication)],
  ]);
}

/** The images that the templates name. */
function imagesOf(files: ReadonlyMap<string, string>): readonly string[] {
  const templates = [...files].flatMap(([path, text]) => (path.startsWith('templates/') ? [text] : []));
  const names = templates.flatMap((text) => [...text.matchAll(/"tallyport\/([a-z-]+)"/g)].map(([, name = '']) => name));
  return [...new Set(names)].toSorted();
}

function chartFile(
  text: string,
  names: readonly string[],
  { version, section, registry, source }: Publication,
): string {
  const chart = parseDocument(text);
  const images = names.map((name) => ({
    name,
    image: `${registry}/tallyport/${name}:${version}`,
    platforms: ['linux/amd64', 'linux/arm64'],
  }));
  const links = [
    { name: 'Documentation', url: `${source}#readme` },
    { name: 'support', url: `${source}/issues` },
  ];
  chart.set('home', source);
  chart.set('sources', [source]);
  for (const [name, value] of Object.entries({ images, links, changes: changesIn(section) }))
    chart.setIn(['annotations', `artifacthub.io/${name}`], stringify(value, { lineWidth: 0 }));
  return chart.toString({ lineWidth: 0 });
}

function valuesFile(text: string, { registry }: Publication): string {
  const values = parseDocument(text);
  values.setIn(['image', 'registry'], registry);
  return values.toString({ lineWidth: 0, singleQuote: true });
}

/** Artifact Hub shows the README without the repository. */
const readme = (text: string, { source, version }: Publication): string =>
  text.replaceAll('](../../../', `](${source}/blob/v${version}/`);

/** Artifact Hub's kinds of changes, by the titles in the changelog. */
const kinds: Readonly<Record<string, string>> = {
  'Before you upgrade': 'changed',
  'New settings': 'added',
  Added: 'added',
  Changed: 'changed',
  Removed: 'removed',
  Fixed: 'fixed',
  Security: 'security',
};

/** The changes of a section, as plain text. */
export function changesIn(section: string): readonly { kind: string; description: string }[] {
  return section.split(/^### /m).flatMap((part) => {
    const [title = '', ...lines] = part.split('\n');
    const kind = kinds[title.trim()];
    const items = lines.join('\n').split(/^- /m).slice(1);
    return kind === undefined ? [] : items.map((item) => ({ kind, description: plain(item) }));
  });
}

const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll(/\s+/g, ' ')
    .trim();
