import type { CustomProvider } from '@tallyport/contracts';
import { type ChatProvider, findChatProvider, findImageProvider, type Provider } from '@tallyport/providers';
import { type ProviderAccess, readTargets, type Targets } from './targets.ts';

/** Targets whose custom providers follow the catalogue at run time. */
export interface LiveTargets<Adapter extends Provider = ChatProvider> extends Targets<Adapter> {
  /** Replaces the custom providers for all later plans; attempts in progress keep theirs. */
  setCustom(providers: readonly CustomProvider[]): void;
}

/** Combines the built-in providers with those that operators added. Built-in providers cannot be replaced. */
export function withCustomProviders<Adapter extends Provider>(
  builtIn: Targets<Adapter>,
  make: (custom: CustomProvider) => Adapter,
  access: (stem: string) => ProviderAccess,
): LiveTargets<Adapter> {
  let adapters: ReadonlyMap<string, Adapter> = new Map();
  let custom: Targets<Adapter> = readTargets([], access);
  const of = (providerId: string): Targets<Adapter> => (adapters.has(providerId) ? custom : builtIn);
  return {
    all: (providerId) => of(providerId).all(providerId),
    find: (providerId) => of(providerId).find(providerId),
    obstacle: (providerId, principal) => of(providerId).obstacle(providerId, principal),
    withOwnKey: (key) => of(key.provider).withOwnKey(key),
    custom: (providerId) => adapters.get(providerId),
    setCustom(providers) {
      const made = providers.filter(({ id }) => !isBuiltIn(id)).map(make);
      adapters = new Map(made.map((provider) => [provider.id, provider]));
      custom = readTargets(made, access);
    },
  };
}

/** Whether a provider is built in, for chats or images, with or without a key. */
const isBuiltIn = (id: string): boolean => findChatProvider(id) !== undefined || findImageProvider(id) !== undefined;
