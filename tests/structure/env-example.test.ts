import { existsSync, readdirSync } from 'node:fs';
import { chatProviders } from '@tallyport/providers';
import { commonConfig, renderEnvExample } from '@tallyport/service-kit';
import type { EnvExampleSection, Settings } from '@tallyport/service-kit';
import { expect, test } from 'vitest';

const services = new URL('../../services/', import.meta.url);

/** The settings that a service's `config.ts` exports. */
async function definitionsOf(service: string): Promise<EnvExampleSection[]> {
  const file = new URL(`${service}/src/config.ts`, services);
  if (!existsSync(file)) return [];
  const exported: Record<string, Settings> = await import(file.href);
  return Object.entries(exported)
    .filter(([name]) => name.endsWith('Config'))
    .map(([, settings]) => ({ title: service, settings }));
}

/** Keys and addresses of providers, which are listed before settings for tuning. */
function vendorSettings(sections: readonly EnvExampleSection[]): Settings {
  const entries = sections.flatMap(({ settings }) => Object.entries(settings));
  const own = new Set(chatProviders.flatMap(({ settings = [] }) => settings.map(({ name }) => name)));
  return Object.fromEntries(entries.filter(([name]) => own.has(name) || /_(API_KEY|BASE_URL)$/.test(name)));
}

// Fails after a setting was added, changed or removed: `npm run docs` writes the file anew.
test('.env.example shows every setting of every service', async () => {
  // all-in-one includes the settings of all services. It is last, so that each setting is listed with its service.
  const names = [...readdirSync(services).filter((name) => name !== 'all-in-one'), 'all-in-one'];
  const sections = (await Promise.all(names.map(definitionsOf))).flat();
  expect(sections.length).toBeGreaterThan(4);
  const text = renderEnvExample([
    { title: 'common to all services', settings: commonConfig },
    { title: 'providers', settings: vendorSettings(sections) },
    ...sections,
  ]);
  await expect(text).toMatchFileSnapshot('../../.env.example');
});
