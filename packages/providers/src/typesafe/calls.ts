import { openAiCompatible } from '../openai-compatible/chat.ts';

export const typesafe = openAiCompatible({
  id: 'typesafe',
  baseUrl: 'https://api.typesafe.ai/v1',
  keyVariable: 'TYPESAFE',
  keyCheckPath: 'none',
  chats: 'none',
  decisions: { format: 'systemone' },
});
