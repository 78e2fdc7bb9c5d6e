import type { Database } from '@switchyard/database';
import { type BootstrapAdmin, ensureFirstOwner, openFirstOwnerLink } from './first-owner.ts';
import { createPasswords } from './passwords.ts';

export interface FirstOwnerOptions {
  /** Whom settings name. */
  admin: BootstrapAdmin | undefined;
  onMade(): void;
  /** Nobody owns the gateway yet: whoever opens this path does. */
  onLink(path: string): void;
}

/** Sees to it that somebody can become the first owner: by settings, or by a link that works once. */
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
