import { randomHex } from './random-hex.ts';

/** The id of a new usage record. */
export const newRecordId = (): string => `use_${randomHex()}`;
