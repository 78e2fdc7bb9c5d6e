import {
  type Model,
  type Offer,
  type OwnModality,
  ownModalityOf,
  type Principal,
  type Routes,
} from '@tallyport/contracts';
import { accountTargets, isAllowed, type OwnKeys, type Targets } from '@tallyport/dispatch';
import { findChatProvider, type Provider } from '@tallyport/providers';
import type { ProviderTargets } from '@tallyport/serving/upstreams';
import { isPast } from './filters.ts';

/** Which offers a caller can use. */
export interface Reach {
  /** Equal for callers that can use the same offers. */
  readonly key: string;
  /** What is missing before an offer can be called, regardless of its dates; `undefined` if nothing is. */
  missing(model: Model, offer: Offer): string | undefined;
}

export interface CallerAccess {
  principal?: Principal | undefined;
  /** The account's own provider keys, if it uses them. */
  own?: OwnKeys | undefined;
  /** Those of its account. */
  routes?: Routes | undefined;
}

/** What a caller can use with the service's keys and those of its account; without a caller, with the service's. */
export function reachOf(
  { chats, images }: Pick<ProviderTargets, 'chats' | 'images'>,
  providers: Iterable<string>,
  { principal, own }: CallerAccess,
): Reach {
  const ids = [...providers];
  const forChats = obstaclesOf(chats, ids, { principal, own });
  const forImages = obstaclesOf(images, ids, { principal, own });
  const { allowedModels, allowedProviders } = principal ?? {};
  return {
    key: JSON.stringify([[...forChats], [...forImages], allowedModels, allowedProviders]),
    missing(model, offer) {
      if (!isAllowed(model, offer, principal)) return 'this key may not use it';
      const { outputModalities: output } = model;
      const own = ownModalityOf(output);
      if (own !== undefined) return forChats.get(offer.providerId) ?? withoutAdapter(own, offer, chats);
      const obstacles = output.includes('text') ? forChats : forImages;
      return obstacles.get(offer.providerId);
    },
  };
}

function withoutAdapter(
  modality: OwnModality,
  { providerId }: Offer,
  chats: ProviderTargets['chats'],
): string | undefined {
  const provider = findChatProvider(providerId) ?? chats.custom?.(providerId);
  return provider?.[modality] === undefined ? `this gateway makes no ${modality} with ${providerId}` : undefined;
}

function obstaclesOf<Adapter extends Provider>(
  targets: Targets<Adapter>,
  ids: readonly string[],
  { principal, own }: CallerAccess,
): ReadonlyMap<string, string> {
  const { obstacle } = own === undefined ? targets : accountTargets(targets, own);
  const found = ids.map((id) => [id, obstacle(id, principal)] as const);
  return new Map(found.flatMap(([id, missing]) => (missing === undefined ? [] : [[id, missing] as const])));
}

/** Why an offer cannot be called now; `undefined` if it can. */
export function unavailableReason(
  reach: Pick<Reach, 'missing'>,
  model: Model,
  { offer, now }: OfferNow,
): string | undefined {
  const end = offer.deactivatedAt ?? model.deactivatedAt;
  return isPast(end, now) ? `not offered since ${end}` : reach.missing(model, offer);
}

interface OfferNow {
  offer: Offer;
  /** Milliseconds since 1970. */
  now: number;
}
