import type { AccountRights } from '@tallyport/management';
import type { AuditActor } from '../audit/audit.ts';

/** The caller of a management operation and the account they act in. */
export interface ApiCaller extends AccountRights {
  readonly actor: AuditActor;
  readonly accountId: string;
  /** Absent if the caller is a key. */
  readonly userId?: string;
}
