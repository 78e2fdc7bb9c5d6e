import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { findRenderer } from '../../deploy/k8s/render.ts';
import { blocksOf } from './markdown.ts';

const root = join(import.meta.dirname, '../..');
const program = findRenderer();

describe.skipIf(program === undefined)('the overlay that docs/operate.md shows', () => {
  let folder: string;
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('renders with its images and settings', async () => {
    const blocks = blocksOf(await readFile(join(root, 'docs/operate.md'), 'utf8'));
    const overlay = blocks.find(({ text }) => text.includes('kind: Kustomization'))?.text ?? '';
    // At the same depth as in a user's repository.
    await mkdir(join(root, '.cache'), { recursive: true });
    folder = await mkdtemp(join(root, '.cache/overlay-'));
    await writeFile(join(folder, 'kustomization.yaml'), overlay);
    const [command = '', ...words] = program ?? [];
    const text = execFileSync(command, [...words, folder], { encoding: 'utf8' });
    expect(text).toContain('image: registry.example.com/tallyport/edge:0.1.0');
    // It replaces all placeholder addresses of Redis and Postgres of the production overlay.
    expect(text).not.toContain('cidr: 192.0.2.');
    expect([...text.matchAll(/cidr: (10\.20\..*)/g)].map(([, cidr]) => cidr).toSorted()).toEqual([
      '10.20.0.15/32',
      '10.20.0.16/32',
    ]);
    const settings = parseAllDocuments(text)
      .map((document) => document.toJS())
      .find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('tallyport'));
    expect(settings.data).toMatchObject({
      BASE_URL: 'https://models.example.com',
      TRUSTED_PROXIES: '10.0.0.0/8',
      SANDBOX: 'off',
    });
  });
});
