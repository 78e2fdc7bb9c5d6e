import type { Plan } from '@tallyport/dispatch';
import type { SentRoute } from '@tallyport/endpoints';
import { highestCost, moneyText, type RequestEstimate } from '@tallyport/pricing';
import { chargedOffers } from '@tallyport/serving/metering';

interface EstimatedPlans {
  own: Plan;
  standIns: readonly Plan[];
  estimate?: RequestEstimate;
}

/** What budgets reserve for a chat: the price of the dearest offer that may answer. */
export function reservation({ own, standIns, estimate }: EstimatedPlans): Pick<SentRoute, 'reservation_usd'> {
  if (estimate === undefined) return {};
  return { reservation_usd: moneyText(highestCost(chargedOffers({ ...own, standIns }), estimate)) };
}
