import { editMembers } from '@tallyport/wire';
import { countingHeaders, type TokenCounting, withMembers } from '../counting/token-counting.ts';
import { members } from '../read.ts';
import { tokenCount } from '../token-counts.ts';

const totalTokens = (answer: unknown): number | undefined => tokenCount(members(answer).totalTokens);

/** The Gemini API counts a whole request only if it is wrapped, and names its model. */
export const geminiCounting = (path: (modelName: string) => string): TokenCounting => ({
  request({ headers, body }, { modelName }) {
    const model = JSON.stringify(`models/${modelName}`);
    const request = editMembers(body, { removed: new Set(['model']), added: { model } });
    return {
      method: 'POST',
      path: `${path(modelName)}:countTokens`,
      headers: { ...headers, ...countingHeaders },
      body: Buffer.concat([Buffer.from('{"generateContentRequest":'), request, Buffer.from('}')]),
    };
  },
  tokens: totalTokens,
  answersClients: true,
});

const vertexMembers: ReadonlySet<string> = new Set([
  'contents',
  'generationConfig',
  'generation_config',
  'systemInstruction',
  'system_instruction',
  'tools',
]);

/** Vertex AI takes the members of a request as they are. */
export const vertexCounting = (path: (modelName: string) => string): TokenCounting => ({
  request: ({ headers, body }, { modelName }) => ({
    method: 'POST',
    path: `${path(modelName)}:countTokens`,
    headers: { ...headers, ...countingHeaders },
    body: withMembers(body, vertexMembers),
  }),
  tokens: totalTokens,
  answersClients: true,
});
