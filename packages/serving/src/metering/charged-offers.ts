import type { Offer } from '@tallyport/contracts';
import type { Plan } from '@tallyport/dispatch';

/**
 * The offers that the operator may have to pay for: those of providers for which the service has a key that the request
 * may use, first or after the account's own keys. Empty if the request can only use the account's own keys.
 */
export const chargedOffers = ({ standIns = [], ...own }: ChargedPlan): Offer[] =>
  [own, ...standIns].flatMap(chargedOfModel);

type ChargedPlan = Pick<Plan, 'account' | 'candidates' | 'standIns'>;

function chargedOfModel({ candidates, account }: ChargedPlan): Offer[] {
  const offers = candidates.map(({ offer }) => offer);
  if (account === undefined) return offers;
  return offers.filter(({ providerId }) => account.all(providerId).some(({ ownKey }) => ownKey !== true));
}
