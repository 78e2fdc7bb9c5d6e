import { openAiCompatible } from '../openai-compatible/chat.ts';
import type { ChatProvider } from '../provider.ts';

/** Simulated providers: one server plays all, each under its own path, so that each can be told to fail by itself. */
const sandbox = (id: string): ChatProvider =>
  openAiCompatible({
    id,
    baseUrl: 'http://127.0.0.1:4010',
    keyVariable: 'SANDBOX',
    auth: { kind: 'none' },
    path: `/${id}/v1/chat/completions`,
  });

export const sandboxA = sandbox('sandbox-a');
export const sandboxB = sandbox('sandbox-b');
export const sandboxC = sandbox('sandbox-c');
