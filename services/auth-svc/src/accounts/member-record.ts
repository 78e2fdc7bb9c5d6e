import type { Row } from '@tallyport/database';
import type { Member } from '@tallyport/management';
import { emailColumn } from '../users/users.ts';

/** Of a membership joined with its user. */
export const memberColumns = [
  'users.id',
  emailColumn.as('email'),
  'memberships.role',
  'memberships.created_at',
] as const;

/** The API form of these columns. */
export const memberRecord = ({
  id,
  email,
  role,
  created_at,
}: Pick<Row<'users'>, 'id' | 'email'> & Pick<Row<'memberships'>, 'role' | 'created_at'>): Member => ({
  userId: id,
  email,
  role,
  joinedAt: created_at.toISOString(),
});
