import {
  type ApiKey,
  apiKeySchema,
  type Budget,
  GatewayError,
  isToolAllowed,
  type KeyChanges,
  type Limits,
} from '@tallyport/contracts';
import type { z } from 'zod';
import { isRangeWithin } from './address-ranges.ts';

/** The settings of a key that an admin set. The member who created the key may only tighten them. */
export const keyBoundsSchema = apiKeySchema.pick({
  expiresAt: true,
  projectId: true,
  allowedModels: true,
  allowedProviders: true,
  allowedTiers: true,
  allowedMcpTools: true,
  allowedAddresses: true,
  limits: true,
  budget: true,
  endUserBudget: true,
  cacheTtlSeconds: true,
  promptCaching: true,
  guardrails: true,
});

type KeyBounds = z.infer<typeof keyBoundsSchema>;

const boundedSettings = keyBoundsSchema.keyof().options;

type BoundedSetting = (typeof boundedSettings)[number];

/** Throws `permission_denied` if a member's change exceeds what an admin set. */
export function checkWithinBounds(changes: KeyChanges, bounds: KeyBounds): void {
  const beyond = boundedSettings.find((name) => changes[name] !== undefined && !isWithinBound[name](changes, bounds));
  if (beyond === undefined) return;
  throw new GatewayError(
    'permission_denied',
    `${beyond} of this key was set by an admin. You can tighten it; ask an admin of the account to loosen or remove it.`,
    { param: beyond },
  );
}

/** Returns the bounds after an admin's change. A setting sent unchanged, as forms do, does not become a bound. */
export function boundsAfter(changes: KeyChanges, { bounds, before }: { bounds: KeyBounds; before: ApiKey }): KeyBounds {
  const set = boundedSettings.filter((name) => changes[name] !== undefined && !isSame(changes[name], before[name]));
  const kept = boundedSettings.filter((name) => bounds[name] !== undefined && !set.includes(name));
  return Object.fromEntries([
    ...kept.map((name) => [name, bounds[name]] as const),
    ...set.filter((name) => changes[name] !== null).map((name) => [name, changes[name]] as const),
  ]);
}

const isWithinBound: Record<BoundedSetting, (changes: KeyChanges, bounds: KeyBounds) => boolean> = {
  expiresAt: ({ expiresAt: to }, { expiresAt: bound }) =>
    bound == null || (to != null && Date.parse(to) <= Date.parse(bound)),
  projectId: ({ projectId: to }, { projectId: bound }) => bound == null || to === bound,
  allowedModels: ({ allowedModels: to }, { allowedModels: bound }) => isSubset(to, bound),
  allowedProviders: ({ allowedProviders: to }, { allowedProviders: bound }) => isSubset(to, bound),
  allowedTiers: ({ allowedTiers: to }, { allowedTiers: bound }) => isSubset(to, bound),
  allowedMcpTools: ({ allowedMcpTools: to }, { allowedMcpTools: bound }) => areToolsWithin(to, bound),
  allowedAddresses: ({ allowedAddresses: to }, { allowedAddresses: bound }) =>
    bound == null || (to != null && to.every((range) => isRangeWithin(range, bound))),
  limits: ({ limits: to }, { limits: bound }) => bound == null || limitsWithin(to ?? {}, bound),
  budget: ({ budget: to }, { budget: bound }) => bound == null || (to != null && budgetWithin(to, bound)),
  endUserBudget: ({ endUserBudget: to }, { endUserBudget: bound }) =>
    bound == null || (to != null && budgetWithin(to, bound)),
  // Neither a shorter nor a longer time is tighter.
  cacheTtlSeconds: ({ cacheTtlSeconds: to }, { cacheTtlSeconds: bound }) => bound == null || to === bound,
  promptCaching: ({ promptCaching: to }, { promptCaching: bound }) => bound == null || to === bound,
  // Whether other rules forbid at least as much cannot be decided.
  guardrails: ({ guardrails: to }, { guardrails: bound }) => bound == null || isSame(to, bound),
};

const isSubset = (to: readonly string[] | null | undefined, bound: readonly string[] | null | undefined): boolean =>
  bound == null || (to != null && to.every((item) => bound.includes(item)));

/** A server includes each of its tools. */
const areToolsWithin = (
  to: readonly string[] | null | undefined,
  bound: readonly string[] | null | undefined,
): boolean => bound == null || (to != null && to.every((tool) => isToolAllowed(tool, bound)));

function limitsWithin(to: Limits, bound: Limits): boolean {
  const kinds = ['chat', 'images', 'models', 'mcp'] as const;
  return (
    limitWithin(to.tokensPerMinute, bound.tokensPerMinute) &&
    limitWithin(to.concurrency, bound.concurrency) &&
    kinds.every((kind) => limitWithin(to.requestsPerMinute?.[kind], bound.requestsPerMinute?.[kind]))
  );
}

/** 0 means no limit. An omitted limit is the operator's default, which may be none. */
const limitWithin = (to: number | undefined, bound: number | undefined): boolean =>
  bound === undefined || bound === 0 || (to !== undefined && to !== 0 && to <= bound);

/** Amounts of different periods cannot be compared. */
const budgetWithin = (to: Budget, bound: Budget): boolean =>
  to.period === bound.period && Number(to.amount) <= Number(bound.amount);

const isSame = (one: unknown, other: unknown): boolean => canonical(one ?? null) === canonical(other ?? null);

/** The database returns object members in its own order, and times in one format. */
function canonical(value: unknown): string {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return new Date(value).toISOString();
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
