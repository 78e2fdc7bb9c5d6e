import { z } from 'zod';
import { anyMembers } from './format-schema.ts';
import { isPlainObject } from '../plain-object.ts';

/** The search of the web: agents declare it by habit, and work with the tools that remain. */
const webSearches = [
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
] as const;

/** Further tools that their vendor runs: a chat cannot express them, and without them the answer is another one. */
const hostedTools = [
  'code_interpreter',
  'computer',
  'computer_use',
  'computer_use_preview',
  'file_search',
  'image_generation',
  'mcp',
  'programmatic_tool_calling',
] as const;

/** Tools that the client runs, in a form that only their vendor's models write. */
const clientTools = ['apply_patch', 'local_shell', 'shell'] as const;

const callable = {
  name: z.string().min(1),
  description: z.string().nullish(),
  /** Only a program of the model could call such a tool. */
  allowed_callers: z
    .array(z.string())
    .refine((callers) => callers.includes('direct'), 'must include direct: programmatic tool calling is not available')
    .nullish(),
  /** Results that arrive in a later turn than the one after the call. */
  async: z.literal(false, 'asynchronous results are not supported; leave it out').nullish(),
};

const functionTool = z.looseObject({
  type: z.literal('function'),
  ...callable,
  parameters: anyMembers.nullish(),
  strict: z.boolean().nullish(),
});

const customTool = z.looseObject({
  type: z.literal('custom'),
  ...callable,
  format: z
    .discriminatedUnion(
      'type',
      [
        z.looseObject({ type: z.literal('text') }),
        z.looseObject({ type: z.literal('grammar'), syntax: z.string(), definition: z.string() }),
      ],
      { error: 'must be one of text, grammar' },
    )
    .nullish(),
});

const namespaceTool = z.looseObject({
  type: z.literal('namespace'),
  name: z.string().min(1),
  description: z.string().nullish(),
  tools: z.array(
    z.discriminatedUnion('type', [functionTool, customTool], { error: 'must be one of function, custom' }),
  ),
});

/** Searches the tools that are not loaded. Where the vendor would do it, all tools are offered from the beginning. */
const toolSearchTool = z.looseObject({
  type: z.literal('tool_search'),
  execution: z.enum(['client', 'server'], 'must be client or server').nullish(),
  description: z.string().nullish(),
  parameters: anyMembers.nullish(),
});

export const responsesToolSchema = z.discriminatedUnion(
  'type',
  [functionTool, customTool, namespaceTool, toolSearchTool, z.looseObject({ type: z.enum(webSearches) })],
  { error: ({ input }) => toolProblem(input) },
);

const unavailableChoice = z.looseObject({
  type: z.enum([...webSearches, ...hostedTools, ...clientTools, 'tool_search']),
});
const namedChoice = { name: z.string().min(1), namespace: z.string().nullish() };
const functionChoice = z.looseObject({ type: z.literal('function'), ...namedChoice });
const customChoice = z.looseObject({ type: z.literal('custom'), ...namedChoice });

export const responsesToolChoiceSchema = z.union(
  [
    z.enum(['none', 'auto', 'required']),
    z.discriminatedUnion('type', [
      functionChoice,
      customChoice,
      z.looseObject({
        type: z.literal('allowed_tools'),
        mode: z.enum(['auto', 'required']),
        tools: z.array(
          z.discriminatedUnion('type', [functionChoice, customChoice, unavailableChoice], {
            error: 'must be one of function, custom',
          }),
        ),
      }),
      unavailableChoice,
    ]),
  ],
  { error: 'must be none, auto, required, or an object naming a tool' },
);

export type ResponsesTool = z.infer<typeof responsesToolSchema>;
export type ResponsesFunctionTool = z.infer<typeof functionTool>;
export type ResponsesCustomTool = z.infer<typeof customTool>;
export type ResponsesToolSearch = z.infer<typeof toolSearchTool>;
export type ResponsesToolChoice = z.infer<typeof responsesToolChoiceSchema>;

function toolProblem(tool: unknown): string {
  const type = isPlainObject(tool) ? tool.type : undefined;
  if (clientTools.some((each) => each === type)) {
    return `${String(type)} is not supported: declare a function or custom tool instead`;
  }
  if (hostedTools.some((each) => each === type)) {
    return `${String(type)} is not supported: only models of OpenAI have it, without ids of what OpenAI stores`;
  }
  return 'must be one of function, custom, namespace, tool_search, web_search';
}
