import { GatewayError, type Offer } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import type { ChatProvider } from '@tallyport/providers';
import type { ChatRequest } from '@tallyport/wire';
import { markdownTable } from './markdown-table.ts';

/** A feature that clients can request. Support is found by translating a request, so the table is never outdated. */
interface Feature {
  title: string;
  of(provider: ChatProvider): string;
}

const tools = [{ type: 'function' as const, function: { name: 'f', parameters: { type: 'object' } } }];
const named = { type: 'function' as const, function: { name: 'f' } };
const schema = { name: 'answer', schema: { type: 'object', properties: {} } };

const features: readonly Feature[] = [
  { title: 'provider', of: ({ id }) => `\`${id}\`` },
  { title: 'key or address', of: (provider) => `\`${variableOf(provider)}\`` },
  feature('tools', { tools }),
  feature('some tool', { tools, tool_choice: 'required' }),
  feature('named tool', { tools, tool_choice: named }),
  feature('JSON', { response_format: { type: 'json_object' } }),
  feature('JSON schema', { response_format: { type: 'json_schema', json_schema: schema } }),
  feature('logprobs', { logprobs: true }),
  { title: 'image URLs', of: ({ images }) => (images === 'url' ? 'yes' : 'fetched') },
  { title: 'choices per call', of: ({ maxChoices }) => (maxChoices >= 128 ? 'any' : String(maxChoices)) },
];

/** Providers of chats and their features as a Markdown table. Simulated providers, which need no key, are left out. */
export function featureTable(providers: readonly ChatProvider[]): string {
  const rows = providers
    .filter(({ auth, hasChats }) => auth.kind !== 'none' && hasChats !== false)
    .map((provider) => features.map((feature) => feature.of(provider)));
  return markdownTable([features.map(({ title }) => title), ...rows]);
}

function feature(title: string, request: Partial<ChatRequest>): Feature {
  return { title, of: (provider) => (supports(provider, request) ? 'yes' : '–') };
}

function supports(provider: ChatProvider, request: Partial<ChatRequest>): boolean {
  const translated = (more: Partial<ChatRequest>) => {
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    return provider.request({ request: { model: 'any', messages, ...more }, stream: true }, ableOffer(provider)).body;
  };
  try {
    // If the member does not change the translated request, the provider ignores it.
    return translated(request) !== translated({});
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}

/** An offer with every ability of the provider. */
const ableOffer = ({ id }: ChatProvider): Offer => offerOf(id);

const variableOf = ({ auth, keyVariable }: ChatProvider): string =>
  auth.kind === 'bearer' && auth.optional === true ? `${keyVariable}_BASE_URL` : `${keyVariable}_API_KEY`;
