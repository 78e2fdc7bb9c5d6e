import { z } from 'zod';
import { roleSchema } from './role.ts';

/** What a browser sends with a form: where it comes from, and the tokens of the form. */
const sentFormSchema = z.object({
  origin: z.string().optional(),
  secFetchSite: z.string().optional(),
  /** The hidden field `csrf_token`. */
  csrfToken: z.string().optional(),
  /** A random token of forms that create something. A second request with the same one is refused. */
  once: z.string().max(100).optional(),
});

export type SentForm = z.infer<typeof sentFormSchema>;

/** The session of a browser, and the account that it is used for. */
export const browserSessionSchema = z.object({
  /** The `Cookie` header. Only auth-svc reads sessions. */
  cookie: z.string(),
  /** The account to act in; the first of the user's if absent. */
  account: z.string().optional(),
  publicOrigin: z.url(),
  /** Required for what changes something or costs money. */
  form: sentFormSchema.optional(),
});

export type BrowserSession = z.infer<typeof browserSessionSchema>;

/** An operation of the management API, called for the person who uses a browser. */
export const manageRequestSchema = browserSessionSchema.extend({
  /** The name of the operation in the management package. */
  operation: z.string(),
  input: z.unknown(),
  /** The client's address, as edge saw it. */
  address: z.string(),
});

export type ManageRequest = z.infer<typeof manageRequestSchema>;

export const manageAnswerSchema = z.object({
  output: z.unknown(),
  /** The rights with which the operation ran; absent for operations about the user rather than an account. */
  caller: z.object({ accountId: z.string(), role: roleSchema, operator: z.boolean() }).optional(),
  /** `Set-Cookie` headers for the browser. */
  setCookie: z.array(z.string()),
});

export type ManageAnswer = z.infer<typeof manageAnswerSchema>;

/** The credentials of a request to the management API and where it comes from. */
export const apiCredentialsSchema = z.object({
  keyHash: z.string().optional(),
  /** Set only without a key: a key takes precedence over the cookie. */
  sessionToken: z.string().optional(),
  /** The account to act in, for members of several. */
  account: z.string().optional(),
  /** The client's address, as edge saw it. */
  address: z.string(),
  origin: sentFormSchema.omit({ once: true }),
  /** Whether the request may change something. Then a cookie alone is not enough. */
  changes: z.boolean(),
});

export type ApiCredentials = z.infer<typeof apiCredentialsSchema>;

/** The caller of an operation of the management API, and the account in which they act. */
export const managementCallerSchema = z.object({
  actor: z.union([
    z.literal('operator'),
    z.templateLiteral([z.enum(['user', 'key', 'oauth', 'identity']), ':', z.string()]),
  ]),
  accountId: z.string(),
  /** Absent if the caller is a key. */
  userId: z.string().optional(),
  role: roleSchema,
  operator: z.boolean(),
});
