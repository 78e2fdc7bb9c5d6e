import { canonicalRequests as asked } from './canonical-requests.ts';
import type { Column } from './column.ts';
import { openAiFormatColumn as column } from './openai-format.ts';

const renamed = {
  system: { messages: asked.system.messages },
  multiTurn: { max_tokens: undefined, max_completion_tokens: 100 },
  reasoning: { max_tokens: undefined, max_completion_tokens: 50_000 },
};

/** The models are OpenAI's, and so are their rules. */
export const azureColumns: readonly Column[] = [
  column({ id: 'azure', modelName: 'gpt-4o', differs: renamed }),
  column({
    id: 'azure',
    modelName: 'gpt-5',
    reasoning: true,
    differs: {
      ...renamed,
      sampling: {
        temperature: undefined,
        top_p: undefined,
        frequency_penalty: undefined,
        presence_penalty: undefined,
      },
    },
  }),
];
