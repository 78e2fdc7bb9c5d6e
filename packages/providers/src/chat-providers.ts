import type { CustomProvider } from '@tallyport/contracts';
import { customProvider } from './custom/custom-provider.ts';
import type { ChatProvider } from './spec/provider.ts';
import * as registry from './registry.ts';

/** Every chat provider, in alphabetical order. */
export const chatProviders: readonly ChatProvider[] = Object.values(registry);

const byId: ReadonlyMap<string, ChatProvider> = new Map(chatProviders.map((provider) => [provider.id, provider]));

export const findChatProvider = (id: string): ChatProvider | undefined => byId.get(id);

export interface ProviderRegistry {
  readonly all: readonly ChatProvider[];
  find(id: string): ChatProvider | undefined;
}

/** The built-in providers and those an operator configured. A configured provider cannot replace a built-in one. */
export function providersWith(custom: readonly CustomProvider[]): ProviderRegistry {
  const own = new Map(custom.filter(({ id }) => !byId.has(id)).map((each) => [each.id, customProvider(each)]));
  return { all: [...chatProviders, ...own.values()], find: (id) => byId.get(id) ?? own.get(id) };
}
