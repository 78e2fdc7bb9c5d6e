import { canonicalRequests as asked } from './canonical-requests.ts';
import type { Column } from './column.ts';
import { furtherRequests as further } from './further-requests.ts';
import { openAiFormatColumn as column, refused } from './openai-format.ts';
import { furtherResponsesBodies, responsesBodies } from './openai-responses.ts';

const renamed = {
  system: { messages: asked.system.messages },
  multiTurn: { max_tokens: undefined, max_completion_tokens: 100 },
  reasoning: { max_tokens: undefined, max_completion_tokens: 50_000 },
};

// From platform.openai.com/docs/api-reference/chat: `stop` ("Up to 4 sequences", "Not supported with latest reasoning
// models"), `reasoning_effort`, `tool_choice` (allowed tools), and learn.microsoft.com on Azure's reasoning models.
const { tools, tool_choice } = further.toolChoiceAllowed;
const allowedTools = { toolChoiceAllowed: { tools, tool_choice } };

/** Models that reason are asked at `/v1/responses` with tools. */
function askingResponses(offered: Parameters<typeof column>[0]): Column {
  const { bodies, further: more, ...others } = column(offered);
  return {
    ...others,
    bodies: { ...bodies, ...responsesBodies },
    ...(more && { further: { ...more, ...furtherResponsesBodies } }),
  };
}

/** The models are OpenAI's and follow the same rules. */
export const azureColumns: readonly Column[] = ['azure', 'openai'].flatMap((id) => [
  column({
    id,
    modelName: 'gpt-4o',
    differs: {
      ...renamed,
      ...allowedTools,
      reasoning: { ...renamed.reasoning, reasoning_effort: undefined },
      longStopList: refused('stop'),
    },
  }),
  askingResponses({
    id,
    modelName: 'gpt-5',
    reasoning: true,
    differs: {
      ...renamed,
      ...allowedTools,
      longStopList: refused('stop'),
      stop: refused('stop'),
      sampling: {
        temperature: undefined,
        top_p: undefined,
        frequency_penalty: undefined,
        presence_penalty: undefined,
      },
    },
  }),
]);
