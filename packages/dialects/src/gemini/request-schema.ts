import { z } from 'zod';
import { absent, openObject } from '../anthropic-messages/block-schemas.ts';
import { content, systemInstruction } from './content-schema.ts';
import { proto } from './proto.ts';

const hosted = 'tools that Google runs are not supported: declare a function in functionDeclarations';

const functionDeclaration = proto({
  name: z.string().min(1),
  description: z.string().nullish(),
  parameters: openObject.nullish(),
  parametersJsonSchema: openObject.nullish(),
  behavior: z.enum(['BLOCKING', 'UNSPECIFIED'], 'only BLOCKING is supported').nullish(),
});

const tool = proto({
  functionDeclarations: z.array(functionDeclaration).nullish(),
  googleSearch: absent(hosted),
  googleSearchRetrieval: absent(hosted),
  enterpriseWebSearch: absent(hosted),
  urlContext: absent(hosted),
  codeExecution: absent(hosted),
  fileSearch: absent(hosted),
  googleMaps: absent(hosted),
  computerUse: absent(hosted),
  mcpServers: absent(hosted),
  retrieval: absent(hosted),
});

const modes = ['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'] as const;

const toolConfig = proto({
  functionCallingConfig: proto({
    mode: z.enum(modes, 'must be one of AUTO, ANY, NONE, VALIDATED').nullish(),
    allowedFunctionNames: z.array(z.string()).nullish(),
  }).nullish(),
});

const levels = ['THINKING_LEVEL_UNSPECIFIED', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'XHIGH'] as const;

const thinkingConfig = proto({
  includeThoughts: z.boolean().nullish(),
  thinkingBudget: z.int().min(-1).nullish(),
  thinkingLevel: z.enum(levels, 'must be one of MINIMAL, LOW, MEDIUM, HIGH, XHIGH').nullish(),
}).refine(
  ({ thinkingBudget, thinkingLevel }) => thinkingBudget == null || thinkingLevel == null,
  'must have thinkingBudget or thinkingLevel, not both',
);

const generationConfig = proto({
  temperature: z.number().min(0).max(2).nullish(),
  topP: z.number().min(0).max(1).nullish(),
  topK: z.number().min(0).nullish(),
  candidateCount: z.int().min(1).max(8).nullish(),
  maxOutputTokens: z.int().min(1).nullish(),
  stopSequences: z.array(z.string()).max(5, 'must have at most 5 entries').nullish(),
  responseMimeType: z.enum(['', 'text/plain', 'application/json'], 'must be text/plain or application/json').nullish(),
  responseSchema: openObject.nullish(),
  responseJsonSchema: openObject.nullish(),
  responseFormat: absent('use responseMimeType with responseJsonSchema'),
  presencePenalty: z.number().min(-2).max(2).nullish(),
  frequencyPenalty: z.number().min(-2).max(2).nullish(),
  seed: z.int().nullish(),
  responseLogprobs: z.boolean().nullish(),
  logprobs: z.int().min(0).max(20).nullish(),
  responseModalities: z
    .array(z.enum(['TEXT', 'IMAGE', 'MODALITY_UNSPECIFIED'], 'only TEXT and IMAGE are supported'))
    .nullish(),
  speechConfig: absent('speech is not supported'),
  mediaResolution: absent('the resolution of media cannot be chosen here: leave it out'),
  imageConfig: absent('leave it out, or send image_config to /v1/chat/completions'),
  thinkingConfig: thinkingConfig.nullish(),
}).refine(
  ({ responseSchema, responseJsonSchema }) => responseSchema == null || responseJsonSchema == null,
  'must have responseSchema or responseJsonSchema, not both',
);

const tiers = ['unspecified', 'standard', 'flex', 'priority'] as const;

/**
 * A request of generateContent. Ignored, because the answer is the same without them: `safetySettings`, `labels` and
 * `store`; unknown members are ignored as well.
 */
export const generateContentSchema = proto({
  contents: z.array(content).min(1, 'must have at least one content'),
  systemInstruction: systemInstruction.nullish(),
  tools: z.array(tool).nullish(),
  toolConfig: toolConfig.nullish(),
  generationConfig: generationConfig.nullish(),
  cachedContent: absent('cached contents are not supported: send the whole conversation'),
  serviceTier: z.preprocess((tier) => (typeof tier === 'string' ? tier.toLowerCase() : tier), z.enum(tiers)).nullish(),
});

export const geminiMembersRead: ReadonlySet<string> = new Set([
  'cachedContent',
  'contents',
  'generationConfig',
  'labels',
  'model',
  'safetySettings',
  'serviceTier',
  'store',
  'systemInstruction',
  'toolConfig',
  'tools',
]);

export type GenerateContentBody = z.infer<typeof generateContentSchema>;
export type GenerationConfigBody = z.infer<typeof generationConfig>;
export type FunctionDeclarationBody = z.infer<typeof functionDeclaration>;
export type ThinkingConfigBody = z.infer<typeof thinkingConfig>;
