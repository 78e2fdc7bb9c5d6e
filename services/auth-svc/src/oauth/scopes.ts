import { type McpScope, mcpScopes } from '@tallyport/contracts';

/** The descriptions of scopes on the consent page. */
export const scopeTexts: Readonly<Record<McpScope, string>> = {
  'mcp:tools': 'Use models and tools on your behalf, within the limits and budget of the account.',
  'mcp:models': 'See the available models and their prices.',
};

export const scopes: readonly McpScope[] = mcpScopes;

/** The scopes of a client that requests none. */
export const defaultScope = scopes.join(' ');

/** The supported response modes. Those that need a page with a script are not offered. */
export const responseModes: readonly string[] = ['query', 'fragment'];

export const isScope = (text: string): text is McpScope => Object.hasOwn(scopeTexts, text);
