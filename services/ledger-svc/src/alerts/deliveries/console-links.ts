import { type AlertCondition, clientOfKeyId } from '@tallyport/management';
import { dayOf } from '../../usage/days.ts';
import { lastHours } from '../../usage/hours.ts';

/** Pages of the dashboard. */
export interface MessageLinks {
  /** The key, project, model, provider or account, or the alert. */
  console: string;
  /** The requests that it is about. */
  requests?: string;
}

interface LinkedEvent {
  kind: 'fired' | 'resolved' | 'test';
  at: Date;
  alertId: string;
  accountId: string;
  subject: string;
  /** Undefined for one of a newer version. */
  condition: AlertCondition | undefined;
}

/** Where an event is explained. `publicUrl` has no trailing slash. */
export function consoleLinks(publicUrl: string, event: LinkedEvent): MessageLinks {
  const { kind, alertId, accountId, condition } = event;
  const base = `${publicUrl}/dashboard/${encodeURIComponent(accountId)}`;
  if (kind === 'test' || condition === undefined) return { console: `${base}/alerts/${alertId}` };
  const filter = Object.entries(requestsOf(condition, event)).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const query = new URLSearchParams(filter).toString();
  return {
    console: base + pageOf(condition, event),
    requests: `${base}/requests${query && `?${query}`}`,
  };
}

function pageOf(condition: AlertCondition, { subject, alertId }: LinkedEvent): string {
  const id = encodeURIComponent(subject);
  switch (condition.type) {
    case 'budget':
    case 'daily_cost':
      return ownerPage(condition.scope, subject);
    case 'provider_uptime':
      return `/providers/${id}`;
    case 'error_rate':
      if (condition.per === 'model') return `/models/${id}`;
      return condition.per === 'key' || condition.key !== undefined ? ownerPage('key', subject) : modelPage(condition);
    case 'latency':
      return modelPage(condition);
    case 'key_expiry':
      return `/keys/${id}`;
    case 'vendor_difference':
      return `/alerts/${alertId}`;
    default:
      return condition satisfies never;
  }
}

/** Keys of applications and workloads have no page. */
function ownerPage(scope: 'account' | 'project' | 'key', id: string): string {
  if (scope === 'account') return '/account';
  if (scope === 'project') return `/projects/${encodeURIComponent(id)}`;
  return hasPage(id) ? `/keys/${encodeURIComponent(id)}` : `/analytics?${new URLSearchParams({ key: id }).toString()}`;
}

const hasPage = (keyId: string): boolean => clientOfKeyId(keyId) === undefined && !keyId.startsWith('workload_');

const modelPage = ({ model }: { model?: string | undefined }): string =>
  model === undefined ? '/overview' : `/models/${encodeURIComponent(model)}`;

type RequestFilter = Readonly<Record<string, string | undefined>>;

function requestsOf(condition: AlertCondition, { subject, at }: LinkedEvent): RequestFilter {
  const during = (hours: number) => ({ from: lastHours(hours, at).from.toISOString(), to: at.toISOString() });
  switch (condition.type) {
    case 'budget':
      return ofOwner(condition.scope, subject);
    case 'daily_cost':
      return { ...ofOwner(condition.scope, subject), from: `${dayOf(at)}T00:00:00.000Z`, to: at.toISOString() };
    case 'provider_uptime':
      return { failed_at: subject, ...during(condition.hours) };
    case 'error_rate': {
      const { model, key, per } = condition;
      const own = { model, key, ...(per !== undefined && { [per]: subject }) };
      return { ...own, outcome: 'failed', ...during(condition.hours) };
    }
    case 'latency':
      return { model: condition.model, ...during(condition.hours) };
    case 'key_expiry':
      return { key: subject };
    case 'vendor_difference':
      return { provider: subject };
    default:
      return condition satisfies never;
  }
}

const ofOwner = (scope: 'account' | 'project' | 'key', id: string): RequestFilter =>
  scope === 'account' ? {} : { [scope]: id };
