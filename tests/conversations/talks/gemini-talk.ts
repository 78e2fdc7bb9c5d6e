import { type Content, type GenerateContentResponse, GoogleGenAI, type Part } from '@google/genai';
import { pixel } from '../../clients/rig.ts';
import { reminder, type Said, type Talk, talkTool, type TalkTerms } from './talk.ts';

const functionDeclarations = [
  { name: talkTool.name, description: talkTool.description, parametersJsonSchema: talkTool.schema },
];

const partsOf = ({ candidates }: GenerateContentResponse): Part[] => candidates?.[0]?.content?.parts ?? [];

/** A client that keeps the parts of an answer, as Gemini CLI does. */
export function geminiTalk({ rig, model, stream }: TalkTerms): Talk {
  const { baseUrl, apiKey } = rig.gateway;
  const models = new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { baseUrl } }).models;
  const contents: Content[] = [];

  async function go(): Promise<Said> {
    const config = {
      tools: [{ functionDeclarations }],
      thinkingConfig: { includeThoughts: true, thinkingBudget: 4_000 },
    };
    const body = { model: model(), contents, config };
    const parts: Part[] = [];
    if (stream) for await (const piece of await models.generateContentStream(body)) parts.push(...partsOf(piece));
    else parts.push(...partsOf(await models.generateContent(body)));
    contents.push({ role: 'model', parts });
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    const text = parts.map(({ text: said = '', thought }) => (thought ? '' : said)).join('');
    return { calls: calls.map(({ id = '', name = '' }) => ({ id, name })), text };
  }

  return {
    ask(text) {
      contents.push({ role: 'user', parts: [{ text }] });
      return go();
    },
    answer(calls, { text, beside }) {
      const results = calls.map(({ id, name }): Part => ({
        functionResponse: { ...(id !== '' && { id }), name, response: { output: text } },
      }));
      const further: Part[] = beside === 'text' ? [{ text: `${reminder} ${text}` }] : [];
      const picture: Part[] = beside === 'picture' ? [{ inlineData: { mimeType: 'image/png', data: pixel } }] : [];
      contents.push({ role: 'user', parts: [...results, ...further, ...picture] });
      return go();
    },
  };
}
