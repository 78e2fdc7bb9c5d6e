export const openaiAddress = { id: 'openai', baseUrl: 'https://api.openai.com/v1', keyVariable: 'OPENAI' } as const;
