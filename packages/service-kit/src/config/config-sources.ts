type Variables = Readonly<Record<string, string | undefined>>;

export interface ConfigSources {
  /** The process environment. It takes precedence over the file. */
  readonly environment: Variables;
  /** The parsed `.env`. */
  readonly file?: Variables;
  /** Names that other services read from the same file. When absent, the file is not checked for unknown names. */
  readonly known?: readonly string[];
}
