import { serviceNames } from '../deploy/service-settings.ts';
import { markdownTable } from './markdown-table.ts';
import type { ListedSetting } from './settings-list.ts';

const opening = `# All settings

Generated from the definitions in the code by \`npm run docs\`. A setting is an environment variable or a line in \`.env\`; the
environment takes precedence. An empty value counts as not set. A secret can also be read from a file: set
\`<NAME>_FILE\` to its path. The settings that most installations need are in [.env.example](../.env.example).

\`npm start\` runs all services in one process, which reads all of these settings.
`;

/** The text of docs/settings.md. */
export function settingsPage(groups: ReadonlyMap<string, readonly ListedSetting[]>): string {
  const sections = [...groups].map(([title, settings]) => {
    const rows = settings.map((listed) => rowOf(listed));
    return `\n## ${title}\n\n${markdownTable([['setting', 'default', 'meaning', 'services'], ...rows])}\n`;
  });
  return opening + sections.join('');
}

function rowOf({ name, setting, services }: ListedSetting): string[] {
  const { default: value, example, secret, description } = setting;
  const shown = value === undefined || value === '' ? example && `e.g. \`${example}\`` : `\`${value}\``;
  return [
    `\`${name}\``,
    shown ?? '–',
    secret === true ? `Secret. ${description}` : description,
    services.length === serviceNames.length ? 'all' : services.join(', '),
  ];
}
