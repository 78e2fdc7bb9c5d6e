import { type GuardWebhookRecord, newGuardWebhookSchema } from '@tallyport/management';
import type { AccountPart } from '../account-part.ts';
import { callStep } from '../call-step.ts';
import type { GuardWebhookEntry } from '../document.ts';
import type { PlanOptions } from '../plan-options.ts';
import { secretChanges, secretProblem } from '../referred-secret.ts';
import { settingChanges } from '../setting-changes.ts';
import { joinParts, type PartPlan, problemPart, stepPart, unchangedPart } from '../plan-step.ts';
import { unlistedParts } from '../unlisted-parts.ts';

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
  return joinParts([...wanted, ...unlistedParts({ account, entry, existing, subjectOf }, 'deleteGuardWebhook')]);
}

interface WantedWebhook {
  account: string;
  name: string;
  url: string;
  /** The secret itself. */
  secret: string;
}

function planGuardWebhook(
  { account, name, url, secret }: WantedWebhook,
  found: GuardWebhookRecord | undefined,
): PartPlan {
  const problem = secretProblem(newGuardWebhookSchema.shape.secret, secret);
  if (problem !== undefined) return problemPart(['accounts', account, 'guardWebhooks', name, 'secret'], problem);
  const step = { account, subject: subjectOf(name) };
  const replaced = secretChanges('secret', secret, found);
  const changes = [...settingChanges(['url'], { url: found?.url }, { url }), ...replaced];
  if (found === undefined) {
    return stepPart(
      callStep({ ...step, action: 'create', changes }, 'createGuardWebhook', () => ({ name, url, secret })),
    );
  }
  if (changes.length === 0) return unchangedPart;
  const input = { id: found.id, url, ...(replaced.length > 0 && { secret }) };
  return stepPart(callStep({ ...step, action: 'change', changes }, 'changeGuardWebhook', () => input));
}

const subjectOf = (name: string): string => `webhook ${JSON.stringify(name)}`;
