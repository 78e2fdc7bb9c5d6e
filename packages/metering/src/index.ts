export { type MeteringConfig, meteringConfig } from './config.ts';
export { type Metering, type MeteringRefusal, openMetering, type RequestReservation } from './metering.ts';
export { audioSettlement, chatSettlement, imageSettlement, nothingUsed, type Settlement } from './usage/settlement.ts';
export { refusalsPerMinute } from './refusals/refusal-sampler.ts';
export { isRefusal, type RefusedRequest } from './refusals/refusal-record.ts';
export { newRecordId } from './usage/record-id.ts';
export type { CacheUse, MeteredRequest } from './usage/usage-record.ts';
