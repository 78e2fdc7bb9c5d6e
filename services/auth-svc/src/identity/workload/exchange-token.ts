import { GatewayError, hashKey, makeKey } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import { decodeJwt, errors, jwtVerify } from 'jose';
import { accountExists } from '../../accounts/account.ts';
import type { Identity, Workload } from '../document/read-identity.ts';
import { isProviderAway, providerProblem } from '../bounded-fetch.ts';
import { asymmetricAlgorithms } from '../key-set.ts';
import { claimOf, hasClaim } from '../claims.ts';
import { projectOf } from './find-workload-key.ts';
import type { IssuerKeys } from './issuer-keys.ts';

export interface WorkloadKey {
  key: string;
  expiresInSeconds: number;
}

/** The token is not accepted. The message is for the operator; callers get one text for every reason. */
export class TokenNotAccepted extends Error {}

interface ExchangeTools {
  database: Database;
  identity(): Identity;
  keysOf: IssuerKeys;
  /** Throws `rate_limit_exceeded` if this subject got too many keys. */
  countKey(subject: string): Promise<void>;
}

interface ExchangedKey extends WorkloadKey {
  rule: string;
  subject: string;
}

const skewSeconds = 30;
/** Visible ASCII: the subject is part of the key's name in usage, logs and limits. */
const subjectPattern = /^[\x21-\x7e]{1,200}$/;

/** Exchanges a token of a configured issuer for a key that lives for minutes, at most as long as the token. */
export async function exchangeToken(tools: ExchangeTools, token: string): Promise<ExchangedKey> {
  const issuer = issuerOf(token);
  const rules = tools.identity().workloads.filter((rule) => rule.issuer === issuer);
  if (rules.length === 0) throw new TokenNotAccepted('no rule names its issuer');
  const { rule, subject, expiresAt } = await firstFit(tools, { rules, token });
  if (!(await accountExists(tools.database.kysely, rule.account)))
    throw new TokenNotAccepted(`${rule.id}: there is no account ${rule.account}`);
  if (rule.project !== undefined && (await projectOf(tools.database.kysely, rule)) === undefined)
    throw new TokenNotAccepted(`${rule.id}: the account ${rule.account} has no project ${rule.project}`);
  await tools.countKey(`${rule.id} ${subject}`);
  const lifetime = Math.min(rule.lifetimeSeconds, Math.floor(expiresAt - Date.now() / 1000));
  if (lifetime < 1) throw new TokenNotAccepted('it has expired');
  const key = await keep(tools.database, { rule, subject, lifetime });
  return { key, expiresInSeconds: lifetime, rule: rule.id, subject };
}

/** Not verified yet: it only selects the rules. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch (error) {
    throw new TokenNotAccepted(error instanceof Error ? error.message : String(error));
  }
}

interface Fit {
  rule: Workload;
  subject: string;
  /** In seconds. */
  expiresAt: number;
}

async function firstFit(
  { keysOf }: ExchangeTools,
  { rules, token }: { rules: readonly Workload[]; token: string },
): Promise<Fit> {
  const reasons: string[] = [];
  for (const rule of rules) {
    try {
      return await fit(rule, { keysOf, token });
    } catch (error) {
      if (error instanceof TokenNotAccepted) reasons.push(`${rule.id}: ${error.message}`);
      else throw error;
    }
  }
  throw new TokenNotAccepted(reasons.join('; '));
}

async function fit(rule: Workload, { keysOf, token }: { keysOf: IssuerKeys; token: string }): Promise<Fit> {
  const { payload } = await jwtVerify(token, keysOf(rule), {
    issuer: rule.issuer,
    audience: rule.audience,
    algorithms: asymmetricAlgorithms,
    clockTolerance: skewSeconds,
    requiredClaims: ['exp', 'sub'],
  }).catch((error: unknown) => {
    throw refusalOf(error);
  });
  const { sub, exp: expiresAt = 0 } = payload;
  const subject: unknown = sub;
  if (typeof subject !== 'string' || !subjectPattern.test(subject))
    throw new TokenNotAccepted('its subject is not plain text of 200 characters');
  if (rule.subject !== undefined && rule.subject !== subject) throw new TokenNotAccepted('it has another subject');
  const missing = Object.entries(rule.claims ?? {}).find(([name, value]) => !hasClaim(payload, name, value));
  if (missing) throw new TokenNotAccepted(`its claim ${missing[0]} is ${shown(claimOf(payload, missing[0]))}`);
  return { rule, subject, expiresAt };
}

/** A claim may be as long as a token. */
const shown = (claim: unknown): string => (JSON.stringify(claim) ?? 'missing').slice(0, 200);

function refusalOf(error: unknown): unknown {
  if (isProviderAway(error)) return issuerAway(error);
  if (error instanceof errors.JOSEError) return new TokenNotAccepted(providerProblem(error));
  return error;
}

async function keep(
  { kysely }: Database,
  { rule, subject, lifetime }: { rule: Workload; subject: string; lifetime: number },
): Promise<string> {
  const key = makeKey();
  const expires_at = sql<Date>`now() + make_interval(secs => ${lifetime}::int)`;
  await kysely
    .insertInto('workload_keys')
    .values({ key_hash: hashKey(key), rule: rule.id, subject, expires_at })
    .execute();
  return key;
}

const issuerAway = (cause: unknown): GatewayError =>
  new GatewayError('unavailable', 'The keys of the token issuer cannot be loaded. Try again in a moment.', { cause });
