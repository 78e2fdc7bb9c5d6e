/** A response of generateContent, and each piece of a streamed one. */
export interface GenerateContentAnswer {
  candidates: GeminiCandidate[];
  modelVersion: string;
  responseId: string;
  /** In a stream, only in the last piece. */
  usageMetadata?: GeminiUsage;
}

export interface GeminiCandidate {
  content: { role: 'model'; parts: GeminiAnswerPart[] };
  index: number;
  /** In a stream, only in the last piece. */
  finishReason?: 'MALFORMED_FUNCTION_CALL' | 'MAX_TOKENS' | 'SAFETY' | 'STOP';
  finishMessage?: string;
  groundingMetadata?: { groundingChunks: { web: { uri: string; title: string } }[] };
  logprobsResult?: GeminiLogprobs;
}

export type GeminiAnswerPart =
  | { text: string; thought?: true; thoughtSignature?: string }
  | { inlineData: { mimeType: string; data: string }; thoughtSignature?: string }
  | { functionCall: { id: string; name: string; args: Record<string, unknown> }; thoughtSignature?: string };

export interface GeminiUsage {
  promptTokenCount: number;
  cachedContentTokenCount?: number;
  candidatesTokenCount: number;
  thoughtsTokenCount?: number;
  totalTokenCount: number;
}

export interface GeminiLogprobs {
  chosenCandidates: GeminiToken[];
  topCandidates: { candidates: GeminiToken[] }[];
}

export interface GeminiToken {
  token: string;
  logProbability: number;
}
