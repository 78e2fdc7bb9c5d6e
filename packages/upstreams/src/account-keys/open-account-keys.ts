import { createClient, type Link } from '@switchyard/bus';
import { authService } from '@switchyard/contracts';
import { type AccountKeys, createAccountKeys } from './account-keys.ts';

/** Requests wait for it: what takes longer is as good as away. */
const loadMs = 2_000;

export interface OpenAccountKeys extends Pick<AccountKeys, 'of'> {
  /** From now on, keys of accounts that auth-svc reports as changed are loaded again. */
  start(): void;
  stop(): void;
}

/** Accounts' own keys at the providers, as auth-svc hands them out over the bus. */
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
