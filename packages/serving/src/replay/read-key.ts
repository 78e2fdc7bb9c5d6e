import { createHash } from 'node:crypto';
import { GatewayError, type Principal, type RequestHead } from '@tallyport/contracts';

/** The Idempotency-Key of a request. */
export interface OnceKey {
  /** The name of its stored result; it includes the account, so accounts cannot read each other's. */
  name: string;
  accountId: string;
  /** The API key of the request. */
  keyId: string;
  /** The project of that key; empty for none. */
  project: string;
  /** Identifies the guardrails for answers of that key; empty if it has none. */
  answerRules: string;
  /** The last event that the client has received; absent if it has none. */
  after: number | undefined;
}

const visible = /^[\x21-\x7e]{1,255}$/;
const eventId = /^\d{1,9}$/;

/** `undefined` for a request without a key. Throws `invalid_parameters` for an invalid one. */
export function readOnceKey({ headers, principal }: RequestHead): OnceKey | undefined {
  const { 'idempotency-key': key, 'last-event-id': last } = headers;
  if (key === undefined || principal === undefined) return undefined;
  if (!visible.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters, such as a UUID');
  }
  if (last !== undefined && !eventId.test(last))
    throw invalid('Last-Event-ID', 'must be the id of an event of this stream');
  const { accountId, keyId, projectId: project = '' } = principal;
  return {
    name: onceName(accountId, key),
    accountId,
    keyId,
    project,
    answerRules: answerRulesOf(principal),
    after: last === undefined ? undefined : Number(last),
  };
}

export const onceName = (accountId: string, key: string): string => `once:${accountId}:${hashOf(key)}`;

/** Identifies the guardrails for answers of a key; empty if it has none. */
export function answerRulesOf({ guardrails = [] }: Pick<Principal, 'guardrails'>): string {
  const rules = guardrails.flatMap(({ answer }) => answer ?? []);
  return rules.length === 0 ? '' : hashOf(JSON.stringify(rules));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const invalid = (header: string, what: string): GatewayError =>
  new GatewayError('invalid_parameters', `${header} ${what}.`, { param: header });
