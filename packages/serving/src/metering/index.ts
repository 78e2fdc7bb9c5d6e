export { chargedOffers } from './charged-offers.ts';
export { meteringConfig } from './config.ts';
export { type Metering, openMetering } from './metering.ts';
export type { RequestReservation } from './reservation.ts';
export { untilRecorded } from './until-recorded.ts';
export {
  audioSettlement,
  chatSettlement,
  imageSettlement,
  nothingUsed,
  realtimeSettlement,
  type Settlement,
} from './usage/settlement.ts';
export type { CacheUse } from './usage/usage-record.ts';
export { withoutClientLimits } from './without-client-limits.ts';
