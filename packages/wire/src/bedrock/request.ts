type JsonObject = Readonly<Record<string, unknown>>;

export type BedrockImageFormat = 'png' | 'jpeg' | 'gif' | 'webp';
export type BedrockDocumentFormat = 'pdf' | 'csv' | 'doc' | 'docx' | 'xls' | 'xlsx' | 'html' | 'txt' | 'md';

/** Marks the end of a prompt prefix that may be cached. */
export interface BedrockCachePoint {
  cachePoint: { type: 'default'; ttl?: string };
}

interface Bytes {
  source: { bytes: string };
}

type BedrockToolResultPart = { text: string } | { json: JsonObject } | { image: Bytes & { format: string } };

/** A content block of the Converse API: an object with one member, named after its kind. */
export type BedrockBlock =
  | { text: string }
  | { image: Bytes & { format: BedrockImageFormat } }
  | { document: Bytes & { format: BedrockDocumentFormat; name: string } }
  | { toolUse: { toolUseId: string; name: string; input: JsonObject } }
  | { toolResult: { toolUseId: string; content: readonly BedrockToolResultPart[]; status?: 'success' | 'error' } }
  | { reasoningContent: { reasoningText: { text: string; signature?: string } } | { redactedContent: string } }
  | BedrockCachePoint;

export interface BedrockMessage {
  role: 'user' | 'assistant';
  content: readonly BedrockBlock[];
}

export type BedrockTool =
  | { toolSpec: { name: string; description?: string; inputSchema: { json: JsonObject }; strict?: boolean } }
  | BedrockCachePoint;

export interface BedrockToolConfig {
  tools: readonly BedrockTool[];
  toolChoice?: { auto: JsonObject } | { any: JsonObject } | { tool: { name: string } };
}

/** The body of `converse` and `converse-stream`. */
export interface BedrockRequest {
  messages: readonly BedrockMessage[];
  system?: readonly ({ text: string } | BedrockCachePoint)[];
  inferenceConfig?: { maxTokens?: number; temperature?: number; topP?: number; stopSequences?: readonly string[] };
  toolConfig?: BedrockToolConfig;
  /** Members of the model's own API, in addition to those of all models. */
  additionalModelRequestFields?: JsonObject;
  /** Members of the model's own answer to return, as JSON pointers. */
  additionalModelResponseFieldPaths?: readonly string[];
  outputConfig?: {
    textFormat: {
      type: 'json_schema';
      structure: { jsonSchema: { schema: string; name?: string; description?: string } };
    };
  };
  requestMetadata?: Readonly<Record<string, string>>;
  serviceTier?: { type: string };
}
