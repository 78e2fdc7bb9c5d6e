export const openrouterAddress = {
  id: 'openrouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  keyVariable: 'OPENROUTER',
} as const;
