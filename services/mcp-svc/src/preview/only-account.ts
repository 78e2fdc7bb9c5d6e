import { createClient, type Link } from '@tallyport/bus';
import { authService } from '@tallyport/contracts';
import type { UploadFolder } from './account-uploads.ts';

const withinMs = 2_000;

/** Asks auth-svc, for each image, because accounts are added at any time. Without an answer there may be others. */
export function onlyAccountCheck(link: Link): UploadFolder['isOnlyAccount'] {
  const auth = createClient(link, authService);
  return (accountId) =>
    auth.isOnlyAccount({ accountId }, { timeoutMs: withinMs }).then(
      ({ only }) => only,
      () => false,
    );
}
