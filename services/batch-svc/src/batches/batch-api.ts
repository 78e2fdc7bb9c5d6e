import type { Row } from '@tallyport/database';

/** The API of the clients that a batch belongs to. */
export type BatchApi = Row<'batches'>['api'];
