import { newProviderKeySchema, type ProviderKeyRecord } from '@tallyport/management';
import type { AccountPart } from '../account-part.ts';
import { callStep, deletionStep } from '../call-step.ts';
import type { ProviderKeyEntry } from '../document.ts';
import type { PlanOptions } from '../plan-options.ts';
import { secretChanges, secretProblem } from '../referred-secret.ts';
import { settingChanges } from '../setting-changes.ts';
import { planProviderKeyOrder } from './plan-provider-key-order.ts';
import {
  accountIdOf,
  extraPart,
  joinParts,
  type PartPlan,
  problemPart,
  type PlanStep,
  stepPart,
  unchangedPart,
} from '../plan-step.ts';

/** Provider keys are recognised by label and provider. A replaced secret is recognised by its last four characters. */
export function planProviderKeys(
  { account, entry, state }: AccountPart<Record<string, ProviderKeyEntry>>,
  { secrets }: Pick<PlanOptions, 'secrets'>,
): PartPlan {
  const existing = state?.providerKeys ?? [];
  const wanted = Object.entries(entry).map(([label, wish]) => {
    const actual = existing.filter((each) => each.label === label && each.provider === wish.provider);
    return planProviderKey({ account, label, wish, actual, text: secrets(wish.key) });
  });
  const extra = existing.filter(({ label, provider }) => entry[label]?.provider !== provider);
  return joinParts([
    ...wanted,
    planProviderKeyOrder({ account, entry, state }),
    ...extra.map(({ id, label, provider }) =>
      extraPart(deletionStep({ account, subject: subjectOf(label, provider) }, 'deleteProviderKey', () => ({ id }))),
    ),
  ]);
}

interface WantedProviderKey {
  account: string;
  label: string;
  wish: ProviderKeyEntry;
  actual: readonly ProviderKeyRecord[];
  /** The secret itself. */
  text: string;
}

function planProviderKey(wanted: WantedProviderKey): PartPlan {
  const { account, label, wish, actual, text } = wanted;
  const path = ['accounts', account, 'providerKeys', label];
  const [found, ...others] = actual;
  if (others.length > 0) return problemPart(path, 'is the label of several keys of this provider; delete all but one');
  const problem = secretProblem(newProviderKeySchema.shape.key, text);
  if (problem !== undefined) return problemPart([...path, 'key'], problem);
  if (found === undefined) return stepPart(creation(wanted));
  const replaced = secretChanges('key', text, found);
  const changes = [...settingChanges(['enabled'], { enabled: found.enabled }, { enabled: wish.enabled }), ...replaced];
  if (changes.length === 0) return unchangedPart;
  const step = { action: 'change', account, subject: subjectOf(label, wish.provider), changes } as const;
  const input = { id: found.id, enabled: wish.enabled, ...(replaced.length > 0 && { key: text }) };
  return stepPart(callStep(step, 'changeProviderKey', () => input));
}

const creation = ({ account, label, wish, text }: WantedProviderKey): PlanStep => ({
  action: 'create',
  account,
  subject: subjectOf(label, wish.provider),
  changes: settingChanges(['enabled'], {}, wish),
  async run({ manage, ...context }) {
    const accountId = accountIdOf({ manage, ...context }, account);
    const { id } = await manage('createProviderKey', { provider: wish.provider, label, key: text }, accountId);
    if (!wish.enabled) await manage('changeProviderKey', { id, enabled: false }, accountId);
    return undefined;
  },
});

const subjectOf = (label: string, provider: string): string => `provider key ${JSON.stringify(label)} of ${provider}`;
