import { type ChatProvider, findImageProvider } from '@switchyard/providers';
import { markdownTable } from './markdown-table.ts';

const titles = ['prefix', 'key', 'other variables', 'asked at', 'its format', 'images'];

/** Who there is and what is set for each, as a table in Markdown. The simulated ones, which need nothing, are left out. */
export function providerTable(providers: readonly ChatProvider[]): string {
  return markdownTable([titles, ...providers.filter(({ auth }) => auth.kind !== 'none').map(rowOf)]);
}

function rowOf(provider: ChatProvider): string[] {
  const { id, auth, baseUrl, keyVariable, dialect, settings = [] } = provider;
  const optional = auth.kind === 'bearer' && auth.optional === true;
  const others = [`${keyVariable}_BASE_URL`, ...settings.map(({ name }) => name)];
  return [
    `\`${id}/\``,
    `\`${keyVariable}_API_KEY\`${optional ? ', if it wants one' : ''}`,
    others.map((name) => `\`${name}\``).join(' '),
    `\`${baseUrl}\``,
    dialectNames[dialect],
    findImageProvider(id) ? 'yes' : '–',
  ];
}

const dialectNames = {
  anthropic: 'Messages',
  bedrock: 'Converse',
  google: 'Gemini',
  openai: "OpenAI's",
} as const satisfies Record<ChatProvider['dialect'], string>;
