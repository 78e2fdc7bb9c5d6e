import type { CustomProvider } from '@switchyard/contracts';
import { alibaba } from './alibaba/chat.ts';
import { anthropic } from './anthropic/chat.ts';
import { awsBedrock } from './aws-bedrock/chat.ts';
import { azure } from './azure/chat.ts';
import { bytedance } from './bytedance/chat.ts';
import { cerebras } from './cerebras/chat.ts';
import { customProvider } from './custom/custom-provider.ts';
import { deepseek } from './deepseek/chat.ts';
import { fireworks } from './fireworks/chat.ts';
import { google } from './google/chat.ts';
import { googleVertex } from './google-vertex/chat.ts';
import { groq } from './groq/chat.ts';
import { minimax } from './minimax/chat.ts';
import { mistral } from './mistral/chat.ts';
import { moonshot } from './moonshot/chat.ts';
import { novita } from './novita/chat.ts';
import { ollama } from './ollama/chat.ts';
import { openai } from './openai/chat.ts';
import { openrouter } from './openrouter/chat.ts';
import { perplexity } from './perplexity/chat.ts';
import type { ChatProvider } from './provider.ts';
import { sandboxA, sandboxB, sandboxC } from './sandbox/chat.ts';
import { together } from './together/chat.ts';
import { vllm } from './vllm/chat.ts';
import { xai } from './xai/chat.ts';
import { zai } from './zai/chat.ts';

/** Every chat provider, in alphabetical order. */
export const chatProviders: readonly ChatProvider[] = [
  alibaba,
  anthropic,
  awsBedrock,
  azure,
  bytedance,
  cerebras,
  deepseek,
  fireworks,
  google,
  googleVertex,
  groq,
  minimax,
  mistral,
  moonshot,
  novita,
  ollama,
  openai,
  openrouter,
  perplexity,
  sandboxA,
  sandboxB,
  sandboxC,
  together,
  vllm,
  xai,
  zai,
];

const byId: ReadonlyMap<string, ChatProvider> = new Map(chatProviders.map((provider) => [provider.id, provider]));

export const findChatProvider = (id: string): ChatProvider | undefined => byId.get(id);

export interface ProviderRegistry {
  readonly all: readonly ChatProvider[];
  find(id: string): ChatProvider | undefined;
}

/** The built-in providers and those an operator configured. A name that is built in stays what it is. */
export function providersWith(custom: readonly CustomProvider[]): ProviderRegistry {
  const own = new Map(custom.filter(({ id }) => !byId.has(id)).map((each) => [each.id, customProvider(each)]));
  return { all: [...chatProviders, ...own.values()], find: (id) => byId.get(id) ?? own.get(id) };
}
