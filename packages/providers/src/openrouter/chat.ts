import { withMarkedParts } from '../conversation/marked-parts.ts';
import { cacheMarks } from '../openai-compatible/cache-marks.ts';
import { openAiCompatible } from '../openai-compatible/chat.ts';

export const openrouter = openAiCompatible({
  id: 'openrouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  keyVariable: 'OPENROUTER',
  // Its list of models needs no key.
  keyCheckPath: '/key',
  maxChoices: 1,
  members: [
    'cache_control',
    'debug',
    'models',
    'plugins',
    'preset',
    'provider',
    'route',
    'session_id',
    'trace',
    'transforms',
  ],
  quirks: {
    cacheMarks,
    files: 'url',
    request: { rename: { max_completion_tokens: 'max_tokens' }, mostStops: 4 },
    toolKinds: 'all',
    keepOwn: ['reasoning', 'image_config', 'usage'],
    keepInMessages: ['reasoning_details'],
    message: withMarkedParts,
    usage: (usage, { cost }) => (typeof cost === 'number' ? { ...usage, cost } : usage),
  },
});
