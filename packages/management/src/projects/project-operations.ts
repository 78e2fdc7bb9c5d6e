import { allowedTiersSchema, budgetSchema, limitsSchema, nameSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';

/** An `admin` of a project manages its keys and members, a `member` creates keys in it. */
export const projectRoleSchema = z.enum(['admin', 'member']);

export type ProjectRole = z.infer<typeof projectRoleSchema>;

export const projectSchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** Service tiers besides the standard one that requests of its keys may ask for; all when absent. */
  allowedTiers: allowedTiersSchema.optional(),
  limits: limitsSchema.optional(),
  budget: budgetSchema.optional(),
  /** The budget of each end user of its keys, over all of them. */
  endUserBudget: budgetSchema.optional(),
});

/** A project with what it uses now. */
const projectOverviewSchema = projectSchema.extend({
  /** The caller's role in it; absent if they do not belong to it. */
  role: projectRoleSchema.optional(),
  /** The number of keys that are not revoked. */
  keys: z.int(),
  members: z.int(),
  /** USD in the current period of its budget, or in this calendar month (UTC) if it has none. */
  spent: z.string(),
  /** What is left of its budget in this period. */
  left: z.string().optional(),
  /** When the period ends; absent for a budget that never resets. */
  resetsAt: z.string().optional(),
});

export type ProjectOverview = z.infer<typeof projectOverviewSchema>;

const projectMemberSchema = z.object({
  userId: z.string(),
  email: z.string(),
  role: projectRoleSchema,
  addedAt: z.string(),
});

export type ProjectMember = z.infer<typeof projectMemberSchema>;

export const newProjectSchema = z.strictObject({
  name: nameSchema,
  allowedTiers: allowedTiersSchema.optional(),
  limits: limitsSchema.optional(),
  budget: budgetSchema.optional(),
  endUserBudget: budgetSchema.optional(),
});

export type NewProject = z.infer<typeof newProjectSchema>;

/** Omitted members stay unchanged; `null` removes a value. */
const projectChangesSchema = z.strictObject({
  name: nameSchema.optional(),
  allowedTiers: allowedTiersSchema.nullish(),
  limits: limitsSchema.nullish(),
  budget: budgetSchema.nullish(),
  endUserBudget: budgetSchema.nullish(),
});

export type ProjectChanges = z.infer<typeof projectChangesSchema>;

const projectId = { id: z.string().min(1).max(100) };
const userId = { userId: z.string().min(1).max(100) };

/** Admins of the account manage its projects; other members see those they belong to. */
export const projectOperations = {
  listProjects: {
    method: 'GET',
    path: '/projects',
    summary: 'Lists the projects of the account with their spending, oldest first; members see those they belong to.',
    access: 'member',
    input: z.strictObject({}),
    output: z.object({ projects: z.array(projectOverviewSchema) }),
  },
  createProject: {
    method: 'POST',
    path: '/projects',
    summary:
      'Creates a project. Its limits and budget apply to all its keys together, within those of the account; a project has no default limits.',
    access: 'admin',
    input: newProjectSchema,
    output: projectSchema,
    status: 201,
    example: {
      summary: 'A project with a budget',
      value: {
        name: 'search',
        limits: { requestsPerMinute: { chat: 120 } },
        budget: { amount: '25', period: 'month' },
      },
    },
  },
  readProject: {
    method: 'GET',
    path: '/projects/{id}',
    summary: 'Returns a project with its spending.',
    access: 'member',
    input: z.strictObject(projectId),
    output: projectOverviewSchema,
  },
  changeProject: {
    method: 'PATCH',
    path: '/projects/{id}',
    summary: 'Changes a project, everywhere within a second. Omitted members stay unchanged, null removes a value.',
    access: 'admin',
    input: projectChangesSchema.extend(projectId),
    output: projectSchema,
  },
  deleteProject: {
    method: 'DELETE',
    path: '/projects/{id}',
    summary: 'Deletes a project that has no keys: move or revoke them first. Its usage stays in the ledger.',
    access: 'admin',
    input: z.strictObject(projectId),
    output: projectSchema,
  },
  listProjectMembers: {
    method: 'GET',
    path: '/projects/{id}/members',
    summary: 'Lists the members of a project.',
    access: 'member',
    input: z.strictObject(projectId),
    output: z.object({ members: z.array(projectMemberSchema) }),
  },
  setProjectMember: {
    method: 'POST',
    path: '/projects/{id}/members',
    summary:
      'Adds a member of the account to a project, or changes their role in it. Admins of the account and of the project may.',
    access: 'member',
    input: z.strictObject({ ...projectId, ...userId, role: projectRoleSchema.default('member') }),
    output: projectMemberSchema,
  },
  removeProjectMember: {
    method: 'DELETE',
    path: '/projects/{id}/members/{userId}',
    summary:
      'Removes a member, or yourself, from a project. The keys they created in it are revoked; with keepKeys=true they pass to the account.',
    access: 'member',
    input: z.strictObject({ ...projectId, ...userId, keepKeys: z.stringbool().default(false) }),
    output: z.object({ removed: z.boolean() }),
  },
} as const satisfies ApiOperations;
