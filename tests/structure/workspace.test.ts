import { describe, expect, test } from 'vitest';
import { readAll } from './sources.ts';

const manifests = readAll('{.,packages/*,services/*}/package.json').map(({ path, text }) => ({
  path,
  ...JSON.parse(text),
}));

describe('the workspace', () => {
  test('no lock file and no configuration names a registry', () => {
    const files = readAll('{,tools/toolchain/*/}{*.json,*.yaml,*.yml,.npmrc,.oxlintrc.json}');
    const naming = files.filter(({ text }) => /"resolved"|\btarball:|\bregistry\s*[=:]|:\/\/registry\./.test(text));
    expect(naming.map(({ path }) => path)).toEqual([]);
    expect(files.length).toBeGreaterThan(5);
  });

  test('no package asks the tools for another Node or package manager: both break the first start', () => {
    const asking = manifests.filter((manifest) => 'packageManager' in manifest || 'devEngines' in manifest);
    expect(asking.map(({ path }) => path)).toEqual([]);
  });

  test('packages run as they are: no build step, TypeScript exported', () => {
    const own = manifests.filter(({ path }) => path !== 'package.json');
    const unlike = own.filter(
      ({ private: isPrivate, type, exports }) => !isPrivate || type !== 'module' || !exportsSource(exports),
    );
    expect(unlike.map(({ path }) => path)).toEqual([]);
    expect(own.length).toBeGreaterThan(10);
  });
});

function exportsSource(exports: Record<string, string>): boolean {
  return Object.values(exports).every((path) => path.startsWith('./src/') && path.endsWith('.ts'));
}
