export { type MeteringConfig, meteringConfig } from './config.ts';
export { type Metering, type MeteringRefusal, openMetering } from './metering.ts';
export type { RequestReservation } from './reservation.ts';
export { audioSettlement, chatSettlement, imageSettlement, nothingUsed, type Settlement } from './usage/settlement.ts';
export type { CacheUse, MeteredRequest } from './usage/usage-record.ts';
