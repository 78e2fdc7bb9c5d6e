type Variables = Readonly<Record<string, string | undefined>>;

export interface ConfigSources {
  /** The real environment: it wins over the file. */
  readonly environment: Variables;
  /** The parsed `.env`. */
  readonly file?: Variables;
  /** Names other services read from the same file; without them, unknown names in the file are not looked for. */
  readonly known?: readonly string[];
}
