import { chatRequestSchema } from '@tallyport/wire';
import { chatHeaders } from '../chat-headers.ts';
import { eventStream, json } from '../content-types.ts';
import type { EndpointDescription, Example } from '../description.ts';
import { chunkSchema, completionSchema } from './answer.ts';

const messages = [{ role: 'user', content: 'What is a tallyport?' }];

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

const examples: Record<string, Example> = {
  plain: { summary: 'A question', value: { model: 'sandbox-chat', messages } },
  streamed: {
    summary: 'The same, streamed, with usage',
    value: { model: 'sandbox-chat', messages, stream: true, stream_options: { include_usage: true } },
  },
  tools: {
    summary: 'With a tool',
    value: {
      model: 'sandbox-chat',
      messages: [{ role: 'user', content: 'How is the weather in Lyon?' }],
      tools: [weather],
    },
  },
  image: {
    summary: 'An image through chat',
    value: {
      model: 'sandbox-image',
      messages: [{ role: 'user', content: 'A red lighthouse' }],
      image_config: { n: 1 },
    },
  },
};

const description = `OpenAI's format, complete, plus \`image_config\`, \`reasoning\` and, in answers, \`reasoning_content\`, \`images\`,
\`content_order\`, \`stop_reason\`, \`usage.cost\` and \`metadata\`.

**Model.** With \`gpt-6-luna\` the gateway chooses the provider; \`<provider>/gpt-6-luna\` names it.

**Failover.** If a provider fails before the first content, the gateway tries another offer. \`metadata.routing\` and
\`x-tallyport-attempts\` show the attempts, \`metadata.not_tried\` the other offers.

**Several models.** \`models\` lists up to five, preferred first; \`model\` may be one of them or absent. The next one is
asked if no provider of the model before can answer, the prompt is too long for it, or a content filter refused it, but
never after a 400 or after the first content. The answer, its price and \`metadata\` are those of the model that answered.

**Unsupported members.** Sampling hints are dropped. A provider without support for a member that changes the meaning of
an answer (tools, \`response_format\`, \`n\`, \`logprobs\`, images) is not used; if none is left, the answer is 400
\`unsupported_capability\` and names the member. Unknown members are passed on to providers of the same format and
otherwise ignored; a member that no vendor knows, such as a misspelt one, is named in a \`warning\` header.

**Cache.** A repeated request of the same account gets the earlier answer, streamed or not, for as long as the key, the
account or the installation allows. \`x-tallyport-cache\` and \`metadata.cached\` show it.

**Streams** are server-sent events: chunks as \`data:\` lines, comments as keep-alives after 15 s of silence, \`metadata\` on the chunk
with the \`finish_reason\`, and \`data: [DONE]\` at the end. A stream that breaks ends with \`data: {"error":{…}}\` and without
\`[DONE]\`; its codes are \`stream_truncated\`, \`upstream_error\`, \`upstream_timeout\` and \`unavailable\`.`;

export const completionsDescription: EndpointDescription = {
  id: 'createChatCompletion',
  tag: 'Chat',
  summary: 'Completes a chat with text, tool calls or images.',
  description,
  headers: [...chatHeaders, 'Last-Event-ID'],
  body: { [json]: { schema: chatRequestSchema, examples } },
  answers: {
    200: {
      description: 'The answer, complete or streamed.',
      content: { [json]: { schema: completionSchema }, [eventStream]: { schema: chunkSchema, events: true } },
    },
  },
};
