import type { Database } from '@tallyport/database';
import { type BootstrapAdmin, ensureFirstOwner, openFirstOwnerLink } from './first-owner.ts';
import { createPasswords } from '../users/passwords.ts';

export interface FirstOwnerOptions {
  /** The owner that the settings name. */
  admin: BootstrapAdmin | undefined;
  onMade(): void;
  /** There is no owner yet: the first person to open this path becomes the owner. */
  onLink(path: string): void;
}

/** Enables the creation of the first owner: from the settings, or by a link that works once. */
export async function prepareFirstOwner(
  database: Database,
  { admin, onMade, onLink }: FirstOwnerOptions,
): Promise<void> {
  if (admin !== undefined) {
    const { created } = await ensureFirstOwner(database, createPasswords(), admin);
    if (created) onMade();
    return;
  }
  const path = await openFirstOwnerLink(database);
  if (path !== undefined) onLink(path);
}
