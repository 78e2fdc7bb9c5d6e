import { type GuardWebhookRecord, lastFour, newGuardWebhookSchema } from '@switchyard/management';
import type { AccountPart } from '../account-part.ts';
import type { GuardWebhookEntry } from '../document.ts';
import type { PlanOptions } from '../plan-options.ts';
import { settingChanges } from '../setting-changes.ts';
import {
  accountIdOf,
  extraPart,
  joinParts,
  type PartPlan,
  problemPart,
  replacedSecret,
  type PlanStep,
  stepPart,
  unchangedPart,
} from '../plan-step.ts';

/** Webhooks are recognised by name. A replaced secret is recognised by its last four characters. */
export function planGuardWebhooks(
  { account, entry, state }: AccountPart<Record<string, GuardWebhookEntry>>,
  { secrets }: Pick<PlanOptions, 'secrets'>,
): PartPlan {
  const existing = state?.guardWebhooks ?? [];
  const wanted = Object.entries(entry).map(([name, { url, secret }]) => {
    const found = existing.find((each) => each.name === name);
    return planGuardWebhook({ account, name, url, secret: secrets(secret) }, found);
  });
  const extra = existing.filter(({ name }) => entry[name] === undefined);
  return joinParts([...wanted, ...extra.map((webhook) => extraPart(deletion(account, webhook)))]);
}

interface WantedWebhook {
  account: string;
  name: string;
  url: string;
  /** The secret itself. */
  secret: string;
}

function planGuardWebhook(wanted: WantedWebhook, found: GuardWebhookRecord | undefined): PartPlan {
  const { account, name, url, secret } = wanted;
  const { error } = newGuardWebhookSchema.shape.secret.safeParse(secret);
  if (error) {
    const path = ['accounts', account, 'guardWebhooks', name, 'secret'];
    return problemPart(path, error.issues.map(({ message }) => message).join('; '));
  }
  if (found === undefined) return stepPart(creation(wanted));
  const isReplaced = lastFour(secret) !== found.lastFour;
  const changes = [
    ...settingChanges(['url'], { url: found.url }, { url }),
    ...(isReplaced ? [{ ...replacedSecret, name: 'secret' }] : []),
  ];
  if (changes.length === 0) return unchangedPart;
  return stepPart({
    action: 'change',
    account,
    subject: subjectOf(name),
    changes,
    async run(context) {
      const input = { id: found.id, url, ...(isReplaced && { secret }) };
      await context.manage('changeGuardWebhook', input, accountIdOf(context, account));
      return undefined;
    },
  });
}

const creation = ({ account, name, url, secret }: WantedWebhook): PlanStep => ({
  action: 'create',
  account,
  subject: subjectOf(name),
  changes: settingChanges(['url'], {}, { url }),
  async run(context) {
    await context.manage('createGuardWebhook', { name, url, secret }, accountIdOf(context, account));
    return undefined;
  },
});

const deletion = (account: string, { id, name }: GuardWebhookRecord): PlanStep => ({
  action: 'delete',
  account,
  subject: subjectOf(name),
  changes: [],
  async run(context) {
    await context.manage('deleteGuardWebhook', { id }, accountIdOf(context, account));
    return undefined;
  },
});

const subjectOf = (name: string): string => `webhook ${JSON.stringify(name)}`;
