/** Gemini's generateContent request: the members that we send. */
export interface GenerateContentRequest {
  contents: GeminiContent[];
  systemInstruction?: { parts: { text: string }[] };
  tools?: GeminiTool[];
  toolConfig?: { functionCallingConfig: { mode: GeminiCallingMode; allowedFunctionNames?: string[] } };
  generationConfig?: GeminiGenerationConfig;
  serviceTier?: 'flex' | 'standard' | 'priority';
}

export interface GeminiContent {
  role: 'user' | 'model';
  parts: GeminiPart[];
}

export interface GeminiPart {
  text?: string;
  inlineData?: { mimeType: string; data: string };
  fileData?: { fileUri: string; mimeType?: string };
  functionCall?: { name: string; args: Readonly<Record<string, unknown>> };
  functionResponse?: { name: string; response: Readonly<Record<string, unknown>> };
  /** Sent by the vendor with this part, and required when the part is sent back. */
  thoughtSignature?: string;
}

interface GeminiTool {
  functionDeclarations?: GeminiFunction[];
  googleSearch?: Record<string, never>;
}

export interface GeminiFunction {
  name: string;
  description?: string;
  /** JSON schema, for models from 2.5 on. */
  parametersJsonSchema?: Readonly<Record<string, unknown>>;
  /** The subset of OpenAPI schemas that older models support. */
  parameters?: Readonly<Record<string, unknown>>;
}

type GeminiCallingMode = 'AUTO' | 'ANY' | 'NONE' | 'VALIDATED';

export interface GeminiGenerationConfig {
  temperature?: number;
  topP?: number;
  topK?: number;
  maxOutputTokens?: number;
  stopSequences?: string[];
  seed?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  responseLogprobs?: boolean;
  logprobs?: number;
  responseMimeType?: 'application/json';
  responseJsonSchema?: Readonly<Record<string, unknown>>;
  responseSchema?: Readonly<Record<string, unknown>>;
  responseModalities?: ('TEXT' | 'IMAGE')[];
  thinkingConfig?: GeminiThinking;
  imageConfig?: { aspectRatio?: string; imageSize?: string };
}

export interface GeminiThinking {
  includeThoughts: boolean;
  thinkingBudget?: number;
  thinkingLevel?: GeminiThinkingLevel;
}

export type GeminiThinkingLevel = 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH' | 'XHIGH';
