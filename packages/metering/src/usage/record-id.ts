import { randomUUID } from 'node:crypto';

export const newRecordId = (): string => `use_${randomUUID().replaceAll('-', '')}`;
