import type { ExchangeHandler } from '@tallyport/bus';
import type { Model, Offer, Principal } from '@tallyport/contracts';
import { isAllowed, type PlanGround } from '@tallyport/dispatch';
import type { ProviderStandings } from '@tallyport/endpoints';
import type { Routing, Upstreams } from '@tallyport/serving/upstreams';
import { describeStanding, keyOwner, names } from './describe.ts';
import { jsonAnswer } from '../answer/json-answer.ts';

/** `GET /v1/providers`: the standing of every offer this key may use, as this replica sees it. */
export const listProviders =
  ({ routing, groundFor }: Pick<Upstreams, 'routing' | 'groundFor'>): ExchangeHandler =>
  async ({ head }) => {
    const ground = await groundFor(head.principal);
    const data = ground.index.models().flatMap((model) =>
      model.offers
        .filter((offer) => isAllowed(model, offer, head.principal) && !isGone(model, offer, ground.now))
        .map((offer) => ({
          ...names(model.id, offer),
          ...describeAccess(ground, offer, head.principal),
          ...describeOffer(routing, offer),
        })),
    );
    return jsonAnswer({ object: 'list', data } satisfies ProviderStandings);
  };

function describeAccess({ account, obstacle }: PlanGround, { providerId }: Offer, principal: Principal | undefined) {
  const missing = (account?.obstacle ?? obstacle)(providerId, principal);
  return {
    /** Why it cannot be called, such as a missing key. */
    obstacle: missing ?? null,
    key: missing === undefined ? keyOwner(account?.hasOwnKey(providerId)) : null,
  };
}

function describeOffer(routing: Routing, offer: Offer) {
  const fault = routing.standings.lastFault(offer);
  return {
    ...describeStanding(routing.standings.of(offer), routing),
    last_error: fault === undefined ? null : { type: fault.type, at: new Date(fault.at).toISOString() },
  };
}

function isGone(model: Model, offer: Offer, now: number): boolean {
  const since = offer.deactivatedAt ?? model.deactivatedAt;
  return since !== undefined && Date.parse(since) <= now;
}
