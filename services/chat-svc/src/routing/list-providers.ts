import type { ExchangeHandler } from '@switchyard/bus';
import type { Model, Offer } from '@switchyard/contracts';
import { isAllowed } from '@switchyard/dispatch';
import type { Routing } from '@switchyard/dispatch-kit';
import { describeStanding, names } from './describe.ts';
import { jsonAnswer } from './json-answer.ts';

/** `GET /v1/providers`: how every offer stands that this key may use, as this replica knows it. */
export const listProviders =
  (routing: Routing): ExchangeHandler =>
  async ({ head }) => {
    const now = Date.now();
    const data = routing
      .index()
      .models()
      .flatMap((model) =>
        model.offers
          .filter((offer) => isAllowed(model, offer, head.principal) && !isGone(model, offer, now))
          .map((offer) => describeOffer(routing, model, offer)),
      );
    return jsonAnswer({ object: 'list', data });
  };

function describeOffer(routing: Routing, model: Model, offer: Offer) {
  const fault = routing.standings.lastFault(offer);
  return {
    ...names(model.id, offer),
    /** What keeps it from being called at all, such as a missing key. */
    obstacle: routing.targets.obstacle(offer.providerId) ?? null,
    ...describeStanding(routing.standings.of(offer), routing),
    last_error: fault === undefined ? null : { type: fault.type, at: new Date(fault.at).toISOString() },
  };
}

function isGone(model: Model, offer: Offer, now: number): boolean {
  const since = offer.deactivatedAt ?? model.deactivatedAt;
  return since !== undefined && Date.parse(since) <= now;
}
