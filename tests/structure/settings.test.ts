import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { envExample } from './env-example.ts';
import { settingGroups } from './settings-list.ts';
import { settingsPage } from './settings-page.ts';
import { root } from './sources.ts';

const groups = settingGroups();
const settings = new Map([...groups.values()].flat().map(({ name, setting }) => [name, setting] as const));

// These fail after a setting was added, changed or removed: `npm run docs` writes the files anew.
test('docs/settings.md shows every setting of every service', async () => {
  expect(groups.size).toBeGreaterThan(4);
  await expect(settingsPage(groups)).toMatchFileSnapshot(join(root, 'docs/settings.md'));
});

test('.env.example shows what most installations set', async () => {
  await expect(envExample(settings)).toMatchFileSnapshot(join(root, '.env.example'));
});

test('each process knows the names of all settings', async () => {
  const file = join(root, 'packages/service-kit/src/config/setting-names.json');
  await expect(`${JSON.stringify([...settings.keys()].toSorted(), null, 2)}\n`).toMatchFileSnapshot(file);
});

test('an unchanged copy of .env.example sets nothing', () => {
  expect(parseEnv(envExample(settings))).toEqual({});
});
