import OpenAI from 'openai';
import { pixelUrl } from '../../clients/rig.ts';
import { reminder, type Said, type Talk, talkTool, type TalkTerms } from './talk.ts';

type Items = OpenAI.Responses.ResponseInput;

const tools: OpenAI.Responses.FunctionTool[] = [
  {
    type: 'function',
    name: talkTool.name,
    description: talkTool.description,
    parameters: { ...talkTool.schema },
    strict: false,
  },
];

/** A client that sends the whole conversation, as Codex does. */
export function responsesTalk({ rig, model, stream }: TalkTerms): Talk {
  const { baseUrl, apiKey } = rig.gateway;
  const responses = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0 }).responses;
  const input: Items = [];

  async function go(): Promise<Said> {
    const body = {
      model: model(),
      input,
      tools,
      store: false,
      include: ['reasoning.encrypted_content' as const],
      reasoning: { effort: 'high' as const },
    };
    const response = stream ? await responses.stream(body).finalResponse() : await responses.create(body);
    input.push(...(response.output as Items));
    const calls = response.output.flatMap((item) =>
      item.type === 'function_call' ? [{ id: item.call_id, name: item.name }] : [],
    );
    return { calls, text: response.output_text };
  }

  return {
    ask(text) {
      input.push({ role: 'user', content: text });
      return go();
    },
    answer(calls, { text, beside }) {
      const picture = { type: 'input_image' as const, image_url: pixelUrl, detail: 'auto' as const };
      const output = beside === 'picture' ? [{ type: 'input_text' as const, text }, picture] : text;
      for (const { id } of calls) input.push({ type: 'function_call_output', call_id: id, output });
      if (beside === 'text') input.push({ role: 'user', content: `${reminder} ${text}` });
      return go();
    },
  };
}
