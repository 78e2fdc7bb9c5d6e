import { type AlertRecord, alertWebhookSchema } from '@switchyard/management';
import type { AccountPart } from '../account-part.ts';
import { keyNamedBy, withId, withName } from '../alert-conditions.ts';
import { callStep, deletionStep } from '../call-step.ts';
import type { AlertEntry } from '../document.ts';
import { keyIdIn, namedKeys } from '../named-keys.ts';
import type { PlanOptions } from '../plan-options.ts';
import {
  extraPart,
  joinParts,
  type PartPlan,
  problemPart,
  type SettingChange,
  type StepContext,
  stepPart,
  unchangedPart,
} from '../plan-step.ts';
import { secretChanges, secretProblem } from '../referred-secret.ts';
import { settingChanges } from '../setting-changes.ts';

/** Alerts are recognised by name. A replaced secret of a webhook is recognised by its last four characters. */
export function planAlerts(
  { account, entry, state }: AccountPart<Record<string, AlertEntry>>,
  { secrets, newKeys }: Pick<PlanOptions, 'secrets'> & { newKeys: readonly string[] },
): PartPlan {
  const existing = state?.alerts ?? [];
  const wanted = Object.entries(entry).map(([name, alert]) => {
    const found = existing.find((each) => each.name === name);
    const secret = alert.webhook && secrets(alert.webhook.secret);
    return planAlert({ account, state, name, alert, secret, newKeys }, found);
  });
  const extra = existing.filter(({ name }) => !Object.hasOwn(entry, name));
  return joinParts([
    ...wanted,
    ...extra.map(({ id, name }) =>
      extraPart(deletionStep({ account, subject: subjectOf(name) }, 'deleteAlert', () => ({ id }))),
    ),
  ]);
}

interface WantedAlert extends Pick<AccountPart<unknown>, 'account' | 'state'> {
  name: string;
  alert: AlertEntry;
  /** Of the webhook, the secret itself. */
  secret: string | undefined;
  /** The names of keys that the same document creates. */
  newKeys: readonly string[];
}

function planAlert(wanted: WantedAlert, found: AlertRecord | undefined): PartPlan {
  const { account, name, alert } = wanted;
  const problem = problemOf(wanted);
  if (problem) return problemPart(['accounts', account, 'alerts', name, ...problem.path], problem.message);
  const changes = changesOf(wanted, found);
  if (found && changes.length === 0) return unchangedPart;
  const step = { account, subject: subjectOf(name), changes };
  const settings = async (context: StepContext) => ({
    condition: withId(alert.condition, await keyIdOf(wanted, context)),
    webhook: alert.webhook && { url: alert.webhook.url, secret: wanted.secret },
    emails: alert.emails,
    enabled: alert.enabled,
  });
  if (found === undefined) {
    const input = async (context: StepContext) => ({ name, ...(await settings(context)) });
    return stepPart(callStep({ ...step, action: 'create' }, 'createAlert', input));
  }
  return stepPart(
    callStep({ ...step, action: 'change' }, 'changeAlert', async (context) => {
      const { webhook = null, emails = null, ...others } = await settings(context);
      return { id: found.id, webhook, emails, ...others };
    }),
  );
}

function problemOf({ state, alert, secret, newKeys }: WantedAlert): { path: string[]; message: string } | undefined {
  const message = secretProblem(alertWebhookSchema.shape.secret, secret);
  if (message !== undefined) return { path: ['webhook', 'secret'], message };
  const key = keyNamedBy(alert.condition);
  if (key === undefined) return undefined;
  const path = ['condition', alert.condition.type === 'budget' ? 'name' : 'key'];
  const count = namedKeys(state?.keys ?? []).filter((each) => each.name === key).length;
  if (count > 1) return { path, message: 'is the name of several keys; rename or revoke all but one' };
  if (count === 1 || newKeys.includes(key)) return undefined;
  return { path, message: 'is not a key of the account; add it to keys' };
}

function changesOf({ state, alert, secret }: WantedAlert, found: AlertRecord | undefined) {
  const names = new Map(namedKeys(state?.keys ?? []).map((key) => [key.id, key.name]));
  const actual = found && {
    ...found,
    condition: withName(found.condition, (id) => names.get(id)),
  };
  return [
    ...settingChanges(['condition', 'emails', 'enabled'], actual ?? {}, alert),
    ...webhookChanges(found?.webhook?.url, alert.webhook?.url),
    ...(secret === undefined ? [] : secretChanges('secret', secret, found?.webhook)),
  ];
}

/** Only hosts: the path of a webhook may be a secret, and plans are logged. */
function webhookChanges(from: string | undefined, to: string | undefined): SettingChange[] {
  if (from === to) return [];
  const [before, after] = [from, to].map(hostOf);
  return [{ name: 'webhook', from: before === after ? `another address at ${before}` : before, to: after }];
}

const hostOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : (URL.parse(url)?.host ?? 'no URL');

async function keyIdOf({ account, state, alert }: WantedAlert, context: StepContext): Promise<string | undefined> {
  const name = keyNamedBy(alert.condition);
  return name === undefined ? undefined : keyIdIn(context, { account, state, name });
}

const subjectOf = (name: string): string => `alert ${JSON.stringify(name)}`;
