import { sql } from '@tallyport/database';

/** A replica that is killed holds its batches and parts for so long. */
export const workLeaseMs = 15_000;
/** How often a lease is renewed. */
export const leasePauseMs = 2_000;

/** Of a lease that begins now. */
export const leaseEnd = sql`now() + ${workLeaseMs} * interval '1 millisecond'`;
