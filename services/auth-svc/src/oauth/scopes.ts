import { type McpScope, mcpScopes } from '@switchyard/contracts';

/** What a token may do, as the page that asks for it says it. */
export const scopeTexts: Readonly<Record<McpScope, string>> = {
  'mcp:tools': 'Use models and tools for you, within the limits and budget of the account.',
  'mcp:models': 'See which models there are and what they cost.',
};

export const scopes: readonly McpScope[] = mcpScopes;

/** What a client gets that asks for nothing in particular. */
export const defaultScope = scopes.join(' ');

export const isScope = (text: string): text is McpScope => Object.hasOwn(scopeTexts, text);
