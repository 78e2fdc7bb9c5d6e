import { createKeyChecker, type KeyChecker, type KeyState, type Target } from '@tallyport/dispatch';
import { type ChatProvider, chatProviders } from '@tallyport/providers';
import type { Kit } from '@tallyport/service-kit';
import { openProviderTargets } from '../provider-targets.ts';

/** The states of a provider's keys, in the order of its setting. */
export interface CheckedProvider {
  provider: string;
  /** Where the keys are configured. */
  setting: string;
  keys: readonly KeyState[];
}

interface ProviderKeyChecks {
  /** The providers with keys, in alphabetical order. */
  readonly providers: readonly string[];
  /** Settles within two deadlines, and never rejects. */
  readonly done: Promise<readonly CheckedProvider[]>;
}

/** Tests every configured key once, all at the same time, and logs the result in one line. */
export function checkProviderKeys(
  { config, log }: Pick<Kit<object>, 'config' | 'log'>,
  checker: KeyChecker = createKeyChecker(),
): ProviderKeyChecks {
  const { chats } = openProviderTargets(config);
  const withKeys = chatProviders
    .filter(({ auth }) => auth.kind !== 'none')
    .map((provider) => ({ provider, targets: chats.all(provider.id).filter(hasCredentials) }))
    .filter(({ targets }) => targets.length > 0);

  async function run(): Promise<readonly CheckedProvider[]> {
    const checking = withKeys.map(async ({ provider, targets }) => {
      const keys = await Promise.all(targets.map((target) => checker.check(provider, target)));
      return { provider: provider.id, setting: settingOf(provider), keys };
    });
    const checked = await Promise.all(checking);
    await checker.close();
    if (checked.length > 0) report(log, checked);
    return checked;
  }

  return { providers: withKeys.map(({ provider }) => provider.id), done: run() };
}

/** Self-hosted servers may be called without a key. */
const hasCredentials = ({ headers, authorize }: Target): boolean =>
  authorize !== undefined || Object.keys(headers).length > 0;

/** The setting that holds the keys of a provider. */
const settingOf = ({ auth, keyVariable }: ChatProvider): string =>
  auth.kind === 'google-service-account' ? auth.variables.join(' or ') : `${keyVariable}_API_KEY`;

function report(log: Kit['log'], checked: readonly CheckedProvider[]): void {
  const providers = Object.fromEntries(checked.map(({ provider, keys }) => [provider, keys.join(', ')]));
  const having = (state: KeyState) => checked.filter(({ keys }) => keys.includes(state));
  const [refused, unreachable] = [having('refused'), having('unreachable')];
  const isGood = refused.length === 0 && unreachable.length === 0;
  const check = refused.length === 0 ? undefined : refused.map(({ setting }) => setting);
  log[isGood ? 'info' : 'warn']({ providers, check }, 'provider keys tested');
}
