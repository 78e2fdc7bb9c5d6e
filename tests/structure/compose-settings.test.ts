import { expect, test } from 'vitest';
import { listingKeys, readComposeFile } from '../deploy/compose-file.ts';
import { imageNames, isOfImage, settingsOf } from '../deploy/service-settings.ts';

const heading = `# Generated from the settings in the code by \`npm run docs\`.
# The settings that each container receives from .env or the shell. A name without a value is passed on unchanged.
# catalog-svc receives only whether a provider key is set, except for the keys it lists models with.
services:
`;

// Fails after a setting was added or removed: `npm run docs` writes the file anew.
test('deploy/compose/settings.yaml gives each service the settings it reads', async () => {
  const { services } = readComposeFile();
  const sections = imageNames.toSorted().map((image) => {
    const ours = new Set(Object.keys(services[image]?.environment ?? {}).map((name) => name.replace(/_FILE$/, '')));
    const names = Object.keys(settingsOf(image)).filter((name) => !isOfImage(name) && !ours.has(name));
    return `  ${image}:\n    environment:\n${names
      .toSorted()
      .map((name) => lineOf(image, name))
      .join('')}`;
  });
  await expect(heading + sections.join('\n')).toMatchFileSnapshot('../../deploy/compose/settings.yaml');
});

function lineOf(image: string, name: string): string {
  const isKey = settingsOf(image)[name]?.secret === true && !name.startsWith('OTEL_');
  const isHidden = image === 'catalog-svc' && isKey && !listingKeys.includes(name);
  return `      ${name}:${isHidden ? ` \${${name}:+set}` : ''}\n`;
}
