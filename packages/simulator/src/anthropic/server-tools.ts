import { isObject, type JsonObject, type MeteredCount, objectsOf, requestedSearches } from '@tallyport/sandbox';

/** A model that answers another model’s question in the course of an answer. */
interface Advice {
  readonly model: string;
  readonly input: number;
  readonly output: number;
}

/** A model asks its advisor once if it has one, whose tokens are not in the usage of the answer. */
export function adviceOf({ tools }: JsonObject): Advice | undefined {
  const tool = objectsOf(tools).find(({ type }) => String(type).startsWith('advisor_'));
  return tool && { model: String(tool.model), input: 200, output: 40 };
}

export const adviceCounts = (advice: Advice | undefined): MeteredCount[] =>
  advice === undefined
    ? []
    : [
        { of: 'advisor_input', count: advice.input, model: advice.model },
        { of: 'advisor_output', count: advice.output, model: advice.model },
      ];

/** A model uses each of its search and fetch tools. */
export function toolCounts({ tools, tool_choice: choice }: JsonObject, text: string): MeteredCount[] {
  if (isObject(choice) && choice.type === 'none') return [];
  return (['web_search', 'web_fetch'] as const).flatMap((of) => {
    const isOffered = objectsOf(tools).some(({ type }) => String(type).startsWith(`${of}_`));
    const count = isOffered ? requestedSearches(text) : 0;
    return count === 0 ? [] : [{ of, count }];
  });
}

export const toolMembers = (counts: readonly MeteredCount[]): object =>
  counts.length === 0
    ? {}
    : {
        server_tool_use: {
          web_search_requests: counts.find(({ of }) => of === 'web_search')?.count ?? 0,
          web_fetch_requests: counts.find(({ of }) => of === 'web_fetch')?.count ?? 0,
        },
      };
