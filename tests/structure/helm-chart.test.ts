import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBase } from '../../deploy/helm/base.ts';
import { generatedFiles } from '../../deploy/helm/generated-files.ts';
import { findRenderer } from '../../deploy/k8s/render.ts';
import { root } from './sources.ts';

const chart = join(root, 'deploy/helm/tallyport');
const written = '_helpers.tpl config.yaml http-route.yaml ingress.yaml NOTES.txt state-secret.yaml tests'.split(' ');
const renderer = findRenderer();

// Fails after deploy/k8s/base or the values of the chart were changed: `npm run docs` writes the files anew.
test.skipIf(renderer === undefined)(
  'the templates and values of the Helm chart follow the kustomize base',
  async () => {
    const files = renderer === undefined ? [] : [...generatedFiles(readBase(renderer), readBase(renderer, 'compact'))];
    for (const [path, text] of files) await expect(text).toMatchFileSnapshot(join(chart, path));
    const templates = files.flatMap(([path]) =>
      path.startsWith('templates/') ? [path.slice('templates/'.length)] : [],
    );
    expect(readdirSync(join(chart, 'templates')).toSorted()).toEqual([...written, ...templates].toSorted());
  },
);
