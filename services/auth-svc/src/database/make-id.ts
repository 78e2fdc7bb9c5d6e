import { randomUUID } from 'node:crypto';

type IdKind = 'account' | 'client' | 'invitation' | 'key' | 'provider_key' | 'session' | 'user';

/** An id says what it is of. */
export const makeId = (kind: IdKind): string => `${kind}_${randomUUID().replaceAll('-', '')}`;
