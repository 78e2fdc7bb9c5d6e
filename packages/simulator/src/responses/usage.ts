import {
  type ChatQuestion,
  type JsonObject,
  metered,
  type Metered,
  type MeteredCount,
  openAiTier,
  openAiWriteDetails,
  openAiWrites,
  promptTokenCount,
  requestedSearches,
  type TokenCounts,
  unknownUsage,
  writeClassOf,
} from '@tallyport/sandbox';
import type { OutputItem } from './output.ts';

/** The usage that a response reports, its tier, and what the vendor bills. */
export interface ResponsesUse {
  readonly usage: object;
  readonly tier: string;
  /** Billed in addition to the usage; absent if no hosted tool ran. */
  readonly toolUsage: object | undefined;
  readonly metered: Metered;
}

interface Spending {
  readonly body: JsonObject;
  readonly question: ChatQuestion;
  readonly output: readonly OutputItem[];
  readonly spent: TokenCounts;
}

/** The input includes cached tokens, the output reasoning. */
export function responsesUse({ body, question, output, spent: all }: Spending): ResponsesUse {
  const tier = openAiTier(body.service_tier, question.lastText);
  const { spent, written } = openAiWrites(all, body);
  const input = promptTokenCount(spent) + written;
  const answered = spent.visible + spent.reasoning;
  const unknown = unknownUsage(question.lastText);
  const tools = hostedTools(output, question.lastText);
  return {
    tier,
    usage: {
      input_tokens: input,
      input_tokens_details: {
        cached_tokens: spent.cacheRead,
        cache_write_tokens: 0,
        ...openAiWriteDetails(written, body),
      },
      output_tokens: answered,
      output_tokens_details: { reasoning_tokens: spent.reasoning },
      total_tokens: input + answered,
      ...unknown.members,
    },
    toolUsage: tools.length === 0 ? undefined : toolUsageOf(tools),
    metered: metered(spent, {
      tier,
      more: [{ of: writeClassOf(body), count: written }, ...tools, ...unknown.counts],
    }),
  };
}

const imagePrompt = { text: 20, image: 0 };
const imageTokens = 272;

function hostedTools(output: readonly OutputItem[], text: string): MeteredCount[] {
  const ran = (type: string) => output.some((item) => item.type === type);
  return [
    ...(ran('web_search_call') ? [{ of: 'web_search', count: requestedSearches(text) } as const] : []),
    ...(ran('image_generation_call')
      ? [
          { of: 'image_gen_input', count: imagePrompt.text, model: imageModel } as const,
          { of: 'image_gen_output', count: imageTokens, model: imageModel } as const,
        ]
      : []),
  ];
}

/** The model that draws for the hosted tool unless the request names another one. */
const imageModel = 'gpt-image-2';

function toolUsageOf(tools: readonly MeteredCount[]): object {
  const countOf = (name: MeteredCount['of']): number => tools.find(({ of }) => of === name)?.count ?? 0;
  const [input, drawn] = [countOf('image_gen_input'), countOf('image_gen_output')];
  return {
    image_gen: {
      input_tokens: input,
      input_tokens_details: { text_tokens: input, image_tokens: 0 },
      output_tokens: drawn,
      output_tokens_details: { text_tokens: 0, image_tokens: drawn },
      total_tokens: input + drawn,
    },
    web_search: { num_requests: countOf('web_search') },
  };
}
