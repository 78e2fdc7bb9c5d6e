import type { Members } from '../read.ts';

/** How one keyword of a JSON schema is rewritten for a vendor. */
export type Treatment =
  /** Sent; schemas inside it are rewritten. */
  | 'kept'
  /** Written into the description: the vendor refuses the keyword, but the model should know of it. */
  | 'moved'
  /** Left out, because it does not describe values. */
  | 'omitted'
  /** Without a counterpart: the schema cannot be sent and must be enforced in another way. */
  | 'refused';

/** One vendor's dialect of JSON Schema: a table of keywords, and how objects are written. */
export interface SchemaDialect {
  /** By keyword; a function decides if it depends on the value. */
  readonly keywords: Readonly<Record<string, Treatment | ((value: unknown) => Treatment)>>;
  /** For keywords that are not in the table. */
  readonly otherwise: Treatment;
  /** Keywords sent under another name: `oneOf` as `anyOf`. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** `closed`: every object must have `additionalProperties: false`, and maps are refused. */
  readonly objects: 'closed' | 'as sent';
  /** `local`: only non-circular references to definitions of the same schema; all others are refused. */
  readonly references: 'local' | 'as sent';
  /** Whether a schema may leave the type of a value open. */
  readonly untyped: 'refused' | 'as sent';
}

/**
 * The schema in the vendor's dialect, or the place of the first part that has no counterpart, such as
 * `#/properties/a/prefixItems`.
 */
export type DialectSchema = { ok: true; schema: Members } | { ok: false; place: string };
