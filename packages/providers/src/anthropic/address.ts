export const anthropicAddress = {
  id: 'anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  sdkAddsVersion: true,
  keyVariable: 'ANTHROPIC',
} as const;
