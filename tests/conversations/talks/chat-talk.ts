import OpenAI from 'openai';
import { pixelUrl } from '../../clients/rig.ts';
import { reminder, type Said, type Talk, talkTool, type TalkTerms } from './talk.ts';

type Message = OpenAI.ChatCompletionMessage;

const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: { name: talkTool.name, description: talkTool.description, parameters: { ...talkTool.schema } },
  },
];

/** `kept`: what the client keeps of an answer; a member of ours that it does not know is lost in some clients. */
export function chatTalk({ rig, model, stream }: TalkTerms, kept: (message: Message) => Message): Talk {
  const { baseUrl, apiKey } = rig.gateway;
  const chats = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0 }).chat.completions;
  const messages: OpenAI.ChatCompletionMessageParam[] = [];

  async function go(): Promise<Said> {
    const body = { model: model(), messages, tools, reasoning_effort: 'high' as const };
    const answer = stream ? await chats.stream(body).finalChatCompletion() : await chats.create(body);
    const message = answer.choices[0]?.message;
    if (message === undefined) throw new Error('The answer has no choice.');
    messages.push(kept(message));
    const calls = (message.tool_calls ?? []).map((call) => ({ id: call.id, name: talkTool.name }));
    return { calls, text: message.content ?? '' };
  }

  return {
    ask(text) {
      messages.push({ role: 'user', content: text });
      return go();
    },
    answer(calls, { text, beside }) {
      for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: text });
      if (beside === 'text') messages.push({ role: 'user', content: `${reminder} ${text}` });
      const picture = { type: 'image_url' as const, image_url: { url: pixelUrl } };
      if (beside === 'picture') messages.push({ role: 'user', content: [{ type: 'text', text }, picture] });
      return go();
    },
  };
}

/** As most frameworks of OpenAI's format keep it. */
export const onlyOpenAiMembers = ({ role, content, refusal, tool_calls: calls }: Message): Message => ({
  role,
  content,
  refusal,
  ...(calls && { tool_calls: calls.map(bareCall) }),
});

function bareCall(call: OpenAI.ChatCompletionMessageToolCall): OpenAI.ChatCompletionMessageToolCall {
  if (call.type !== 'function') return call;
  const { name, arguments: input } = call.function;
  return { id: call.id, type: 'function', function: { name, arguments: input } };
}
