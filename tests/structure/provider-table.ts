import { namesOf, ownEndpoints } from '@tallyport/contracts';
import { type ChatProvider, findImageProvider } from '@tallyport/providers';
import { markdownTable } from './markdown-table.ts';

const titles = ['prefix', 'key', 'other variables', 'default address', 'chats', 'images', 'besides'];

/** Providers and their settings as a Markdown table. Simulated providers, which need no key, are left out. */
export function providerTable(providers: readonly ChatProvider[]): string {
  return markdownTable([titles, ...providers.filter(({ auth }) => auth.kind !== 'none').map(rowOf)]);
}

function rowOf(provider: ChatProvider): string[] {
  const { id, auth, baseUrl, keyVariable, dialect, settings = [] } = provider;
  const optional = auth.kind === 'bearer' && auth.optional === true;
  const others = [`${keyVariable}_BASE_URL`, ...settings.map(({ name }) => name)];
  return [
    `\`${id}/\``,
    `\`${keyVariable}_API_KEY\`${optional ? ' (optional)' : ''}`,
    others.map((name) => `\`${name}\``).join(' '),
    `\`${baseUrl}\``,
    provider.hasChats === false ? '–' : dialectNames[dialect],
    findImageProvider(id) ? 'yes' : '–',
    besidesOf(provider) || '–',
  ];
}

const besidesOf = (provider: ChatProvider): string =>
  namesOf(ownEndpoints)
    .filter((modality) => provider[modality] !== undefined)
    .join(', ');

const dialectNames = {
  anthropic: 'Messages',
  bedrock: 'Converse',
  google: 'Gemini',
  openai: "OpenAI's",
} as const satisfies Record<ChatProvider['dialect'], string>;
