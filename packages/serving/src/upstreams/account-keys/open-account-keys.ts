import { createClient, type Link } from '@tallyport/bus';
import { authService } from '@tallyport/contracts';
import { type AccountKeys, createAccountKeys } from './account-keys.ts';

/** Requests wait for it, so a slow auth-svc counts as unavailable. */
const loadMs = 2_000;

export interface OpenAccountKeys extends Pick<AccountKeys, 'of'> {
  /** Starts dropping the keys of accounts that auth-svc reports as changed. */
  start(): void;
  stop(): void;
}

/** Loads accounts' own provider keys from auth-svc over the bus. */
export function openAccountKeys(link: Link): OpenAccountKeys {
  const auth = createClient(link, authService);
  const { of, drop } = createAccountKeys({
    load: async (accountId) => (await auth.providerKeys({ accountId }, { timeoutMs: loadMs })).keys,
  });
  let stop = () => {};
  return {
    of,
    start() {
      stop = auth.accountChanged.subscribe(({ accountId }) => drop(accountId));
    },
    stop: () => stop(),
  };
}
