import type { ApiClient } from './api-client.ts';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';

export const clientApis = { chat, messages, responses, gemini } as const satisfies Record<string, ApiClient>;

export type ClientApi = keyof typeof clientApis;

export const apiNames: readonly ClientApi[] = ['chat', 'messages', 'responses', 'gemini'];
