import { roleSchema } from '@tallyport/contracts';
import { projectRoleSchema } from '@tallyport/management';
import { secretPlaceSchema } from '@tallyport/service-kit';
import { z } from 'zod';
import { workloadRule } from '../workload/workload-schema.ts';
import { issuerSchema } from './issuer.ts';

/** Used in paths: /sign-in/{id}. */
const providerId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must have at most 32 lower-case letters, digits and hyphens');

const name = z.string().trim().min(1).max(60);
const claimName = z.string().min(1).max(200);

/** Grants a role in an account to people with a claim, or to everyone who signs in with the provider. */
const accessRule = z
  .strictObject({
    claim: claimName.optional(),
    value: z.string().max(500).optional(),
    everyone: z.literal(true).optional(),
    account: z.string().min(1).max(100),
    role: roleSchema,
    /** A project of the account, by name or id, in which people with the claim get this role. */
    project: z.string().min(1).max(100).optional(),
    projectRole: projectRoleSchema.optional(),
  })
  .refine(({ project, projectRole }) => project !== undefined || projectRole === undefined, {
    path: ['projectRole'],
    message: 'needs a project',
  })
  .refine(
    ({ claim, value, everyone }) =>
      everyone === true ? claim === undefined && value === undefined : claim !== undefined && value !== undefined,
    'must have claim and value, or everyone: true',
  );

export type AccessRule = z.infer<typeof accessRule>;

const signInProvider = z.strictObject({
  id: providerId,
  /** Shown on the sign-in page. */
  name,
  issuer: issuerSchema,
  clientId: z.string().min(1).max(500),
  /** Absent for a public client, which proves itself by PKCE only. */
  clientSecret: secretPlaceSchema.optional(),
  scopes: z
    .array(z.string().regex(/^[!#-[\]-~]{1,200}$/, 'must be a scope without spaces'))
    .max(20)
    .default(['email', 'profile']),
  /** Whether claims are also read from the userinfo endpoint, for providers with few claims in the ID token. */
  userinfo: z.boolean().default(false),
  emailClaim: claimName.default('email'),
  /** Whether a person takes over the user who has their verified e-mail address. */
  linkVerifiedEmail: z.boolean().default(false),
  /** After this time the browser must return to the provider, where the claims are read again. */
  sessionHours: z.int().min(1).max(168).default(8),
  /** How often the provider is asked, with the refresh token, whether the person is still there. 0 for never. */
  recheckMinutes: z.int().min(0).max(1440).default(15),
  /** Sessions end when the provider has not answered for this long. */
  recheckGraceMinutes: z.int().min(0).max(10_080).default(60),
  /** Whether admin keys of a person end when the provider refuses their refresh token. */
  refusalEndsAdminKeys: z.boolean().default(false),
  /** People who have not signed in for this long lose the memberships that the provider gave. */
  removeAfterDays: z.int().min(8).max(3650).optional(),
  access: z.array(accessRule).min(1).max(500),
});

/** YAML reads a section without entries as null. */
const section = <Schema extends z.ZodType>(schema: Schema, most: number) =>
  z.preprocess((value) => value ?? [], z.array(schema).max(most)).default([]);

const repeatedIds = (name: string, entries: readonly { id: string }[]) =>
  entries.flatMap(({ id }, index) =>
    entries.findIndex((entry) => entry.id === id) === index ? [] : [[name, index, 'id']],
  );

/** The document that `IDENTITY_CONFIG` names. */
export const identitySchema = z
  .strictObject({
    passwords: z.enum(['on', 'off']).default('on'),
    providers: section(signInProvider, 20),
    workloads: section(workloadRule, 500),
  })
  .superRefine(({ passwords, providers, workloads }, context) => {
    for (const path of [...repeatedIds('providers', providers), ...repeatedIds('workloads', workloads)])
      context.addIssue({ code: 'custom', path, message: 'is used twice' });
    if (passwords === 'on' || providers.length > 0) return;
    const message = 'can only be off with at least one provider, or no one could sign in';
    context.addIssue({ code: 'custom', path: ['passwords'], message });
  });

export type IdentityDocument = z.infer<typeof identitySchema>;

/** The JSON Schema with which editors complete and check the document. */
export const identityJsonSchema = (): object => ({
  title: 'Tallyport identity document',
  ...z.toJSONSchema(identitySchema, { io: 'input', unrepresentable: 'any' }),
});
