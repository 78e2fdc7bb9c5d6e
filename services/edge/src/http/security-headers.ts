/** For API responses: their type must not be guessed. As JSON or events, they are never shown as a page. */
export const noSniffing = { 'x-content-type-options': 'nosniff' } as const;

/** For everything else that edge sends. */
export const securityHeaders = {
  ...noSniffing,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
