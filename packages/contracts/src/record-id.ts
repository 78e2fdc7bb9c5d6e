import { randomUUID } from 'node:crypto';

/** The id of a new usage record. */
export const newRecordId = (): string => `use_${randomUUID().replaceAll('-', '')}`;
