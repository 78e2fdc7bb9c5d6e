import Anthropic from '@anthropic-ai/sdk';
import { pixel } from '../../clients/rig.ts';
import { reminder, type Said, type Talk, talkTool, type TalkTerms } from './talk.ts';

const tools: Anthropic.Tool[] = [
  { name: talkTool.name, description: talkTool.description, input_schema: { ...talkTool.schema, required: ['city'] } },
];

/** Models that decide how much they think refuse a budget, and the others know nothing else. */
const budgetOf = (model: string): Anthropic.ThinkingConfigParam =>
  /claude-\w+-4-5/.test(model) ? { type: 'enabled', budget_tokens: 2_000 } : { type: 'adaptive' };

/** A client such as Claude Code, which puts reminders and pictures beside the results of tools. */
export function messagesTalk({ rig, model, stream }: TalkTerms): Talk {
  const { baseUrl, apiKey } = rig.gateway;
  const client = new Anthropic({ baseURL: baseUrl, apiKey, maxRetries: 0 });
  const messages: Anthropic.MessageParam[] = [];

  async function go(): Promise<Said> {
    const body = { model: model(), max_tokens: 8_000, messages, tools, thinking: budgetOf(model()) };
    const message = stream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body);
    messages.push({ role: 'assistant', content: message.content });
    const calls = message.content.filter((block) => block.type === 'tool_use');
    const text = message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    return { calls: calls.map(({ id, name }) => ({ id, name })), text };
  }

  return {
    ask(text) {
      messages.push({ role: 'user', content: text });
      return go();
    },
    answer(calls, { text, beside }) {
      const source = { type: 'base64' as const, media_type: 'image/png' as const, data: pixel };
      const picture: Anthropic.ImageBlockParam[] = beside === 'picture' ? [{ type: 'image', source }] : [];
      const results = calls.map(({ id }): Anthropic.ToolResultBlockParam => ({
        type: 'tool_result',
        tool_use_id: id,
        content: [{ type: 'text', text }, ...picture],
      }));
      const further = beside === 'text' ? [{ type: 'text' as const, text: `${reminder} ${text}` }] : [];
      messages.push({ role: 'user', content: [...results, ...further] });
      return go();
    },
  };
}
