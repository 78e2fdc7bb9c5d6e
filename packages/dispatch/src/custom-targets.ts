import type { CustomProvider } from '@switchyard/contracts';
import { type ChatProvider, customProvider } from '@switchyard/providers';
import { type ProviderAccess, readTargets, type Targets } from './targets.ts';

/** Targets whose custom providers follow the catalogue while the process runs. */
export interface LiveTargets extends Targets {
  /** From the next plan on these are the ones; an attempt that runs keeps what it has. */
  setCustom(providers: readonly CustomProvider[]): void;
}

/** Those built in, and beside them what operators added. A built-in provider cannot be replaced. */
export function withCustomProviders(builtIn: Targets, access: (stem: string) => ProviderAccess): LiveTargets {
  let adapters: ReadonlyMap<string, ChatProvider> = new Map();
  let custom = readTargets([], access);
  const of = (providerId: string): Targets => (adapters.has(providerId) ? custom : builtIn);
  return {
    all: (providerId) => of(providerId).all(providerId),
    find: (providerId) => of(providerId).find(providerId),
    obstacle: (providerId) => of(providerId).obstacle(providerId),
    custom: (providerId) => adapters.get(providerId),
    setCustom(providers) {
      const made = providers.filter(({ id }) => builtIn.find(id) === undefined).map(customProvider);
      adapters = new Map(made.map((provider) => [provider.id, provider]));
      custom = readTargets(made, access);
    },
  };
}
