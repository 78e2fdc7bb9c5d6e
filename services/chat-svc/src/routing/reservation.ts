import type { Plan } from '@tallyport/dispatch';
import type { SentRoute } from '@tallyport/endpoints';
import { highestCost, moneyText, type RequestEstimate } from '@tallyport/pricing';
import { chargedOffers } from '@tallyport/serving/metering';

interface EstimatedPlans {
  own: Plan;
  standIns: readonly Plan[];
  /** Absent if it depends on a recording. */
  estimate: RequestEstimate | undefined;
}

/** What budgets reserve: the price of the dearest offer that may answer, or why it is not known. */
export function reservation({
  own,
  standIns,
  estimate,
}: EstimatedPlans): Pick<SentRoute, 'reservation_usd' | 'reservation_unknown'> {
  if (estimate === undefined) return { reservation_unknown: ofRecording };
  return { reservation_usd: moneyText(highestCost(chargedOffers({ ...own, standIns }), estimate)) };
}

const ofRecording =
  'Budgets reserve the price of the length of the recording, which an explanation does not get. The request itself reserves it.';
