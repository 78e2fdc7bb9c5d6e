import type { CustomProvider } from '@tallyport/contracts';
import type { Target } from '@tallyport/dispatch';
import { chatProviders } from '@tallyport/providers';
import type { ProviderTargets } from '@tallyport/serving/upstreams';

/** Servers to query for their models: self-hosted ones, and the operator's providers. */
export function listingServers(
  { chats }: Pick<ProviderTargets, 'chats'>,
  custom: readonly CustomProvider[],
): ReadonlyMap<string, Target> {
  const selfHosted = chatProviders.filter(({ auth }) => auth.kind === 'bearer' && auth.optional === true);
  const targets = [...selfHosted, ...custom].map(({ id }) => [id, chats.find(id)] as const);
  return new Map(targets.flatMap(([id, target]) => (target === undefined ? [] : [[id, target] as const])));
}
