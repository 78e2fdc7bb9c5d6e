import { guardWebhookName, nameSchema, roleSchema, routesSchema } from '@tallyport/contracts';
import {
  accountOperations,
  alertConditionSchema,
  alertSettingsSchema,
  alertWebhookSchema,
  keyOperations,
  mcpServerAuthInputSchema,
  newProjectSchema,
  newGuardWebhookSchema,
  newMcpServerSchema,
  newProviderKeySchema,
  providerKeyChangesSchema,
  oauthOperations,
  projectRoleSchema,
  withReceiver,
} from '@tallyport/management';
import { z } from 'zod';
import { memberNameSchema } from './named-members.ts';

const apiVersion = 'tallyport/v1';

/** YAML reads a section without entries as null. It is managed, and empty. */
const section = <Schema extends z.ZodType>(name: z.ZodType<string, string>, entry: Schema) =>
  z.preprocess((value) => (value === null ? {} : value), z.record(name, entry));

/** An entry without settings may be left empty. */
const entry = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === null ? {} : value), schema);

/** Where a secret is read when the document is applied. It is never part of the document. */
export const secretReferenceSchema = z.union(
  [
    z.strictObject({ fromEnv: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/) }),
    z.strictObject({ fromFile: z.string().min(1) }),
  ],
  'must be { fromEnv: NAME } or { fromFile: path }',
);

export type SecretReference = z.infer<typeof secretReferenceSchema>;

const settingsSchema = accountOperations.changeAnyAccount.input.omit({ id: true });
/** A project is named, because it may be created by the same document. */
const keySchema = keyOperations.createKey.input
  .omit({ name: true, projectId: true })
  .extend({ key: secretReferenceSchema.optional(), project: nameSchema.optional() });
const projectSchema = newProjectSchema
  .omit({ name: true })
  .extend({ members: section(memberNameSchema, projectRoleSchema).optional() });
const oauthClientSchema = oauthOperations.createOAuthClient.input.omit({ name: true });

const providerKeySchema = newProviderKeySchema.omit({ label: true }).extend({
  key: secretReferenceSchema,
  enabled: z.boolean('must be true or false').default(true),
  /** The order in which the keys of a provider are tried. */
  position: providerKeyChangesSchema.shape.position,
});

const guardWebhookSchema = newGuardWebhookSchema.omit({ name: true }).extend({ secret: secretReferenceSchema });

const [noAuth, headerAuth, clientCredentialsAuth] = mcpServerAuthInputSchema.options;

const mcpServerSchema = newMcpServerSchema.omit({ name: true }).extend({
  auth: z
    .discriminatedUnion('type', [
      noAuth,
      headerAuth.extend({ value: secretReferenceSchema }),
      clientCredentialsAuth.extend({ clientSecret: secretReferenceSchema }),
    ])
    .default({ type: 'none' }),
});

const [
  budgetCondition,
  uptimeCondition,
  errorCondition,
  expiryCondition,
  differenceCondition,
  latencyCondition,
  costCondition,
] = alertConditionSchema.options;

/** What the API has by id is named, and the account has no name of its own. */
const isOfScope = ({ scope, name }: { scope: string; name?: string | undefined }): boolean =>
  scope !== 'account' || name === undefined;

const wrongScope = { message: 'needs the scope of what it names: key or project', path: ['name'] };

/** As in the API, but keys and projects are named, because they may be created by the same document. */
const conditionSchema = z.discriminatedUnion('type', [
  budgetCondition.omit({ id: true }).extend({ name: nameSchema.optional() }).refine(isOfScope, wrongScope),
  uptimeCondition,
  errorCondition.extend({ key: nameSchema.optional() }),
  expiryCondition.extend({ key: nameSchema.optional() }),
  differenceCondition,
  latencyCondition,
  costCondition.omit({ id: true }).extend({ name: nameSchema.optional() }).refine(isOfScope, wrongScope),
]);

const alertSchema = withReceiver(
  alertSettingsSchema.extend({
    condition: conditionSchema,
    webhook: alertWebhookSchema
      .extend({ secret: secretReferenceSchema.optional() })
      .refine(({ format = 'standard', secret }) => format !== 'standard' || secret !== undefined, {
        message: 'must be { fromEnv: NAME } or { fromFile: path }',
        path: ['secret'],
      })
      .optional(),
  }),
);

/**
 * One account. Sections that are missing are not managed. Entries of a section are complete: settings that they omit
 * have their defaults.
 */
const accountSchema = z.strictObject({
  settings: entry(settingsSchema).optional(),
  guardWebhooks: section(guardWebhookName, guardWebhookSchema).optional(),
  providerKeys: section(nameSchema, providerKeySchema).optional(),
  /** The name begins the names of the server's tools, which keys may be limited to (`allowedMcpTools`). */
  mcpServers: section(newMcpServerSchema.shape.name, mcpServerSchema).optional(),
  projects: section(nameSchema, entry(projectSchema)).optional(),
  /** Models that answer for a name of their own. */
  routes: entry(routesSchema).optional(),
  keys: section(nameSchema, entry(keySchema)).optional(),
  alerts: section(nameSchema, alertSchema).optional(),
  oauthClients: section(nameSchema, entry(oauthClientSchema)).optional(),
  members: section(memberNameSchema, roleSchema).optional(),
});

/** Everything that the management API can set, derived from its operations. */
export const gatewayDocumentSchema = z.strictObject({
  /** Where editors find the JSON Schema, in a document that is JSON. */
  $schema: z.string().optional(),
  apiVersion: z.literal(apiVersion),
  kind: z.literal('Gateway'),
  /** By id (`default`, `account_…`) or name. */
  accounts: section(nameSchema, entry(accountSchema)),
});

export type GatewayDocument = z.infer<typeof gatewayDocumentSchema>;
export type AccountEntry = z.infer<typeof accountSchema>;
export type AccountSettings = z.infer<typeof settingsSchema>;
export type ProjectEntry = z.infer<typeof projectSchema>;
export type KeyEntry = z.infer<typeof keySchema>;
export type GuardWebhookEntry = z.infer<typeof guardWebhookSchema>;
export type ProviderKeyEntry = z.infer<typeof providerKeySchema>;
export type McpServerEntry = z.infer<typeof mcpServerSchema>;
export type NamedAlertCondition = z.infer<typeof conditionSchema>;
export type AlertEntry = z.infer<typeof alertSchema>;
export type OAuthClientEntry = z.infer<typeof oauthClientSchema>;

/** The JSON Schema with which editors complete and check the document. */
export const gatewayJsonSchema = (): object => ({
  title: 'Tallyport gateway document',
  ...z.toJSONSchema(gatewayDocumentSchema, { io: 'input', unrepresentable: 'any' }),
});
