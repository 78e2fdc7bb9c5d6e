/** The APIs of clients that some vendors have as well. */
export type NativeDialect =
  | 'anthropic-messages'
  | 'gemini'
  | 'gemini-interactions'
  | 'openai-compact'
  | 'openai-responses';

/** A request of such an API as it arrived, for a provider that can take it unchanged. */
export interface NativeRequest {
  dialect: NativeDialect;
  /** JSON, not reformatted. Stored items that it refers to are in it. */
  body: Buffer;
  /** The same, parsed. */
  members: Readonly<Record<string, unknown>>;
  /** The headers that belong to the API, such as `anthropic-beta`. */
  headers: Readonly<Record<string, string>>;
  /** As the client named it. */
  model: string;
  /** The longest answer that the client allows, in tokens. */
  limit: number | undefined;
  /** A chat cannot express the request, so it cannot be translated for other providers. */
  isUntranslatable: boolean;
  /** It is sent for the standard service tier, which it does not name itself. */
  standardTier?: true;
}
