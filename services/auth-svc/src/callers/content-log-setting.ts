import { type Caller, GatewayError, knownContentLogSchema, type Principal } from '@tallyport/contracts';
import type { Secrets } from '@tallyport/management-server';

/** What accounts may keep of their requests in this installation. */
export interface ContentLogRules {
  /** The caller as other services get it. */
  allowed(caller: Caller): Caller;
  /** Throws if no account of this installation can keep anything. */
  checkMayKeep(): void;
}

/** `logContent` is LOG_CONTENT. */
export const contentLogRules = (logContent: boolean, secrets: Pick<Secrets, 'obstacle'>): ContentLogRules => ({
  allowed: (caller) => asInstallationAllows(logContent, caller),
  checkMayKeep: () => checkMayKeep(logContent, secrets.obstacle()),
});

/** The setting of an account for the services that answer its requests. */
export const contentLogOf = (stored: unknown): Pick<Principal, 'contentLog'> =>
  stored === null ? {} : { contentLog: { maxBytes: knownContentLogSchema.parse(stored).maxBytes } };

/** Without LOG_CONTENT nothing is kept, also for accounts that have set it. */
export function asInstallationAllows(logContent: boolean, caller: Caller): Caller {
  if (logContent || caller.principal.contentLog === undefined) return caller;
  const { contentLog: _off, ...principal } = caller.principal;
  return { ...caller, principal };
}

/** Throws if an account cannot keep prompts and answers here. `obstacle`: why nothing can be encrypted. */
export function checkMayKeep(logContent: boolean, obstacle: string | undefined): void {
  if (!logContent) {
    throw new GatewayError(
      'permission_denied',
      'This installation keeps no prompts and answers. The operator can allow it: LOG_CONTENT=true.',
      { param: 'contentLog' },
    );
  }
  if (obstacle !== undefined) throw new GatewayError('unavailable', obstacle, { param: 'contentLog' });
}
