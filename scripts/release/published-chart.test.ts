import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { changesIn, publishedChart } from './published-chart.ts';
import { currentVersion, imageNames, read } from './repository.ts';

const section = `### Before you upgrade

- **Set \`ONE\`** at
  edge ([how](docs/operate.md)).

### Added

- Two.

### For contributors

- Three.
`;
const version = currentVersion();
const publication = {
  version,
  section,
  registry: 'registry.example.com/acme',
  source: 'https://git.example.com/acme/gateway',
};
const chart = publishedChart(publication);
const parsed = (path: string) => parse(String(chart.get(path)));

test('the published chart finds its images in the registry, and changes nothing else', () => {
  const values = parse(read('deploy/helm/tallyport/values.yaml'));
  expect(parsed('values.yaml')).toEqual({ ...values, image: { ...values.image, registry: publication.registry } });
  expect(chart.get('templates/tests/health.yaml')).toBe(read('deploy/helm/tallyport/templates/tests/health.yaml'));
  expect(chart.get('LICENSE')).toBe(read('LICENSE'));
});

test('Artifact Hub reads where it is from, its images and its changes', () => {
  const { annotations, ...rest } = parsed('Chart.yaml');
  const written = parse(read('deploy/helm/tallyport/Chart.yaml'));
  expect({ ...rest, annotations: written.annotations }).toEqual({
    ...written,
    home: publication.source,
    sources: [publication.source],
  });
  expect(annotations).toMatchObject(written.annotations);
  const annotation = (name: string) => parse(annotations[`artifacthub.io/${name}`]);
  const names = annotation('images').map(({ name }: { name: string }) => name);
  expect(names).toEqual(imageNames().filter((name) => name !== 'sandbox'));
  expect(annotation('images')).toContainEqual({
    name: 'edge',
    image: `registry.example.com/acme/tallyport/edge:${version}`,
    platforms: ['linux/amd64', 'linux/arm64'],
  });
  expect(annotation('links')).toContainEqual({ name: 'support', url: 'https://git.example.com/acme/gateway/issues' });
  expect(annotation('changes')).toEqual(changesIn(section));
});

test('changes are those that users notice, without Markdown', () => {
  expect(changesIn(section)).toEqual([
    { kind: 'changed', description: 'Set `ONE` at edge (how).' },
    { kind: 'added', description: 'Two.' },
  ]);
});

test('the README of the published chart links to the repository', () => {
  const links = [...String(chart.get('README.md')).matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target);
  expect(links.filter((target) => !target?.startsWith(`${publication.source}/blob/v${version}/docs/`))).toEqual([]);
  expect(links.length).toBeGreaterThan(0);
});
