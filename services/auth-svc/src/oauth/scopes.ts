/** What a token may do, and what the page that asks for it says. */
export const scopeTexts = {
  'mcp:tools':
    'Use models and tools for you: chat and make images. This counts towards the account’s limits and budget.',
  'mcp:models': 'See which models there are and what they cost.',
} as const;

export type Scope = keyof typeof scopeTexts;

export const scopes = Object.keys(scopeTexts) as readonly Scope[];

/** What a client gets that asks for nothing in particular. */
export const defaultScope = scopes.join(' ');

export const isScope = (text: string): text is Scope => text in scopeTexts;
