import { anthropic } from './anthropic/chat.ts';
import { openai } from './openai/chat.ts';
import type { ChatProvider } from './provider.ts';
import { sandboxA, sandboxB, sandboxC } from './sandbox/chat.ts';

/** Every chat provider, in alphabetical order. */
export const chatProviders: readonly ChatProvider[] = [anthropic, openai, sandboxA, sandboxB, sandboxC];

const byId: ReadonlyMap<string, ChatProvider> = new Map(chatProviders.map((provider) => [provider.id, provider]));

export const findChatProvider = (id: string): ChatProvider | undefined => byId.get(id);
