import type { CustomProvider } from '@switchyard/contracts';
import { type ChatProvider, findChatProvider, findImageProvider, type Provider } from '@switchyard/providers';
import { type ProviderAccess, readTargets, type Targets } from './targets.ts';

/** Targets whose custom providers follow the catalogue while the process runs. */
export interface LiveTargets<Adapter extends Provider = ChatProvider> extends Targets<Adapter> {
  /** From the next plan on these are the ones; an attempt that runs keeps what it has. */
  setCustom(providers: readonly CustomProvider[]): void;
}

/** Those built in, and beside them what operators added. A built-in provider cannot be replaced. */
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
    obstacle: (providerId) => of(providerId).obstacle(providerId),
    withOwnKey: (key) => of(key.provider).withOwnKey(key),
    custom: (providerId) => adapters.get(providerId),
    setCustom(providers) {
      const made = providers.filter(({ id }) => !isBuiltIn(id)).map(make);
      adapters = new Map(made.map((provider) => [provider.id, provider]));
      custom = readTargets(made, access);
    },
  };
}

/** For chats or for images, with a key or without one. */
const isBuiltIn = (id: string): boolean => findChatProvider(id) !== undefined || findImageProvider(id) !== undefined;
