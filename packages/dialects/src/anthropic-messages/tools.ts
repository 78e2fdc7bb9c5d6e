import type { ChatRequest } from '@tallyport/wire';
import { cacheMarkOf } from './content-parts.ts';
import type { MessagesBody, MessagesToolBody } from './request-schema.ts';

type HubTool = NonNullable<ChatRequest['tools']>[number];

type HubToolMembers = Pick<ChatRequest, 'tools' | 'tool_choice' | 'parallel_tool_calls'>;

export function toToolMembers({ tools, tool_choice: choice }: MessagesBody): HubToolMembers {
  const single = choice && choice.type !== 'none' && choice.disable_parallel_tool_use === true;
  return {
    ...(tools && tools.length > 0 && { tools: tools.map(toHubTool) }),
    ...(choice && { tool_choice: toHubChoice(choice) }),
    ...(single && { parallel_tool_calls: false }),
  };
}

/**
 * `defer_loading` is ignored: the model knows every tool from the start, which costs tokens but no ability. So is
 * `eager_input_streaming`: arguments are passed on as they arrive.
 */
const toHubTool = ({
  name,
  description,
  input_schema,
  strict,
  input_examples,
  cache_control,
}: MessagesToolBody): HubTool => ({
  type: 'function',
  function: {
    name,
    ...descriptionOf(description ?? '', input_examples ?? []),
    parameters: input_schema,
    ...(strict != null && { strict }),
  },
  ...cacheMarkOf(cache_control),
});

function descriptionOf(description: string, examples: readonly object[]): { description?: string } {
  const shown = examples.map((example) => `Example input: ${JSON.stringify(example)}`);
  const lines = [description, ...shown].filter((line) => line !== '');
  return lines.length === 0 ? {} : { description: lines.join('\n') };
}

function toHubChoice(choice: NonNullable<MessagesBody['tool_choice']>): NonNullable<ChatRequest['tool_choice']> {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return choice.type;
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', function: { name: choice.name } };
    default:
      return choice satisfies never;
  }
}
