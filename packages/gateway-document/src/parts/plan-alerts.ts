import { type AlertRecord, alertWebhookSchema, type WebhookFormat } from '@tallyport/management';
import type { AccountPart } from '../account-part.ts';
import { type NamedSubject, subjectNamedBy, withId, withName } from '../alert-conditions.ts';
import { callStep } from '../call-step.ts';
import type { AlertEntry } from '../document.ts';
import { keyIdIn, namedKeys } from '../named-keys.ts';
import type { PlanOptions } from '../plan-options.ts';
import {
  joinParts,
  type PartPlan,
  problemPart,
  type SettingChange,
  type StepContext,
  stepPart,
  unchangedPart,
} from '../plan-step.ts';
import { projectIdIn } from '../project-ids.ts';
import { secretChanges, secretProblem } from '../referred-secret.ts';
import { settingChanges } from '../setting-changes.ts';
import { unlistedParts } from '../unlisted-parts.ts';

/** Alerts are recognised by name. A replaced secret of a webhook is recognised by its last four characters. */
export function planAlerts(
  { account, entry, state }: AccountPart<Record<string, AlertEntry>>,
  { secrets, newKeys, newProjects }: Pick<PlanOptions, 'secrets'> & NewSubjects,
): PartPlan {
  const existing = state?.alerts ?? [];
  const wanted = Object.entries(entry).map(([name, alert]) => {
    const found = existing.find((each) => each.name === name);
    const secret = alert.webhook?.secret && secrets(alert.webhook.secret);
    return planAlert({ account, state, name, alert, secret, newKeys, newProjects }, found);
  });
  return joinParts([...wanted, ...unlistedParts({ account, entry, existing, subjectOf }, 'deleteAlert')]);
}

/** The names of what the same document creates. */
interface NewSubjects {
  newKeys: readonly string[];
  newProjects: readonly string[];
}

interface WantedAlert extends Pick<AccountPart<unknown>, 'account' | 'state'>, NewSubjects {
  name: string;
  alert: AlertEntry;
  /** Of the webhook, the secret itself. */
  secret: string | undefined;
}

function planAlert(wanted: WantedAlert, found: AlertRecord | undefined): PartPlan {
  const { account, name, alert } = wanted;
  const problem = problemOf(wanted);
  if (problem) return problemPart(['accounts', account, 'alerts', name, ...problem.path], problem.message);
  const changes = changesOf(wanted, found);
  if (found && changes.length === 0) return unchangedPart;
  const step = { account, subject: subjectOf(name), changes };
  const settings = async (context: StepContext) => ({
    condition: withId(alert.condition, await subjectIdOf(wanted, context)),
    webhook: alert.webhook && { url: alert.webhook.url, secret: wanted.secret, format: formatOf(alert.webhook) },
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

function problemOf(wanted: WantedAlert): { path: string[]; message: string } | undefined {
  const { alert, secret } = wanted;
  const wrongSecret = secretProblem(alertWebhookSchema.shape.secret, secret);
  if (wrongSecret !== undefined) return { path: ['webhook', 'secret'], message: wrongSecret };
  const subject = subjectNamedBy(alert.condition);
  const message = subject && subjectProblem(wanted, subject);
  return message === undefined ? undefined : { path: ['condition', subject?.member ?? 'name'], message };
}

function subjectProblem(
  { state, newKeys, newProjects }: WantedAlert,
  { kind, name }: NamedSubject,
): string | undefined {
  const isKey = kind === 'key';
  const present = isKey ? namedKeys(state?.keys ?? []) : (state?.projects ?? []);
  const count = present.filter((each) => each.name === name).length;
  if (count > 1) return `is the name of several ${kind}s; rename or revoke all but one`;
  if (count === 1 || (isKey ? newKeys : newProjects).includes(name)) return undefined;
  return `is not a ${kind} of the account; add it to ${kind}s`;
}

function changesOf({ state, alert, secret }: WantedAlert, found: AlertRecord | undefined) {
  const subjects = [...namedKeys(state?.keys ?? []), ...(state?.projects ?? [])];
  const names = new Map(subjects.map((each) => [each.id, each.name]));
  const actual = found && {
    ...found,
    condition: withName(found.condition, (id) => names.get(id)),
  };
  return [
    ...settingChanges(['condition', 'emails', 'enabled'], actual ?? {}, alert),
    ...webhookChanges(found?.webhook, alert.webhook),
    ...(secret === undefined ? [] : secretChanges('secret', secret, found?.webhook)),
  ];
}

interface PlannedWebhook {
  url: string;
  format?: WebhookFormat | undefined;
}

const formatOf = ({ format = 'standard' }: Pick<PlannedWebhook, 'format'>): WebhookFormat => format;

/** Only hosts: the path of a webhook may be a secret, and plans are logged. */
function webhookChanges(from: PlannedWebhook | undefined, to: PlannedWebhook | undefined): SettingChange[] {
  const formats = from && to ? settingChanges(['format'], { format: formatOf(from) }, { format: formatOf(to) }) : [];
  if (from?.url === to?.url) return formats;
  const [before, after] = [from?.url, to?.url].map(hostOf);
  return [{ name: 'webhook', from: before === after ? `another address at ${before}` : before, to: after }, ...formats];
}

const hostOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : (URL.parse(url)?.host ?? 'no URL');

async function subjectIdOf({ account, state, alert }: WantedAlert, context: StepContext): Promise<string | undefined> {
  const subject = subjectNamedBy(alert.condition);
  if (subject === undefined) return undefined;
  const place = { account, state, name: subject.name };
  return subject.kind === 'key' ? keyIdIn(context, place) : projectIdIn(context, place);
}

const subjectOf = (name: string): string => `alert ${JSON.stringify(name)}`;
