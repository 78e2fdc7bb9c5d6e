import type { ApiClient } from './api-client.ts';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import { interactions } from './interactions.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';

export const clientApis = { chat, messages, responses, gemini, interactions } as const satisfies Record<
  string,
  ApiClient
>;

export type ClientApi = keyof typeof clientApis;

export const apiNames: readonly ClientApi[] = ['chat', 'messages', 'responses', 'gemini', 'interactions'];
