import { randomUUID } from 'node:crypto';

type IdKind = 'account' | 'invitation' | 'key' | 'session' | 'user';

/** An id says what it is of. */
export const makeId = (kind: IdKind): string => `${kind}_${randomUUID().replaceAll('-', '')}`;
