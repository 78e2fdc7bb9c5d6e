import { z } from 'zod';
import {
  absent,
  assistantBlock,
  cacheControl,
  onlyValue,
  openObject,
  systemBlock,
  userBlock,
} from './block-schemas.ts';

const blocksOf = <Block extends z.ZodType>(block: Block) =>
  z.union([z.string(), z.array(block)], { error: 'must be a string or an array of content blocks' });

const message = z.discriminatedUnion(
  'role',
  [
    z.looseObject({ role: z.literal('user'), content: blocksOf(userBlock) }),
    z.looseObject({ role: z.literal('assistant'), content: blocksOf(assistantBlock) }),
    z.looseObject({
      role: z.literal('system'),
      content: blocksOf(systemBlock),
      clear_at: z.literal('never', 'only never is supported').nullish(),
      output_config: absent('is only supported for the whole request'),
    }),
  ],
  { error: 'must be one of user, assistant, system' },
);

const tool = z.looseObject({
  // First: tools that the vendor defines have no schema here, and the type is what is wrong with them.
  type: onlyValue(
    'custom',
    'only custom tools work with this model: tools that Anthropic defines or runs need one of its own models, at a provider that has them',
  ).nullish(),
  name: z.string().min(1),
  description: z.string().nullish(),
  input_schema: openObject,
  strict: z.boolean().nullish(),
  input_examples: z.array(openObject).nullish(),
  allowed_callers: z
    .array(z.string())
    .refine((callers) => callers.includes('direct'), 'must include direct: code execution is not supported')
    .nullish(),
  cache_control: cacheControl,
});

const parallel = { disable_parallel_tool_use: z.boolean().nullish() };
const toolChoice = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('auto'), ...parallel }),
    z.looseObject({ type: z.literal('any'), ...parallel }),
    z.looseObject({ type: z.literal('tool'), name: z.string().min(1), ...parallel }),
    z.looseObject({ type: z.literal('none') }),
  ],
  { error: 'must be one of auto, any, tool, none' },
);

// `display` is not translated: a client that asks for no summary ignores the one it gets.
const thinking = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1_024, 'must be at least 1024') }),
    z.looseObject({ type: z.literal('adaptive') }),
    z.looseObject({ type: z.literal('disabled') }),
  ],
  { error: 'must be one of enabled, adaptive, disabled' },
);

const outputFormat = z
  .looseObject({ type: z.literal('json_schema', 'must be json_schema'), schema: openObject })
  .nullish();

const outputConfig = z.looseObject({
  effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max'], 'must be one of low, medium, high, xhigh, max').nullish(),
  format: outputFormat,
  task_budget: absent('task budgets are not supported'),
});

/** Clearing old tool results and thinking only saves tokens, and a client copes without it; compaction changes the answer. */
const contextManagement = z.looseObject({
  edits: z
    .array(
      z.looseObject({
        // These words make agents leave the member out and try again.
        type: z.string().regex(/^clear_/, 'context_management: Extra inputs are not permitted (only clear_ edits)'),
      }),
    )
    .nullish(),
});

/** Tools, state and fallbacks that only the vendor's servers have. */
const refusedMembers = {
  container: absent('containers are kept by Anthropic for the account of the gateway: leave it out'),
  mcp_servers: absent('MCP servers are not supported: give their tools in tools'),
  fallbacks: absent('fallbacks are not supported: the gateway has its own'),
  compaction: absent('only models of Anthropic compact a conversation: use one of them, or leave it out'),
  billing_policy: absent('billing policies concern the account of the gateway with Anthropic: leave it out'),
  fallback_credit_token: absent('fallback credits are not supported'),
  inference_geo: absent('the place of inference cannot be chosen here: leave it out'),
};

/** In the order in which problems are reported. */
const members = {
  model: z.string().min(1),
  messages: z.array(message).min(1, 'must hold at least one message'),
  system: blocksOf(systemBlock).nullish(),
  cache_control: cacheControl,
  context_management: contextManagement.nullish(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
  output_config: outputConfig.nullish(),
  output_format: outputFormat,
  service_tier: z.enum(['auto', 'standard_only'], 'must be one of auto, standard_only').nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  thinking: thinking.nullish(),
  tool_choice: toolChoice.nullish(),
  tools: z.array(tool).nullish(),
  top_k: z.int().min(0).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  ...refusedMembers,
};

/**
 * A request of the Messages API. Ignored, because the answer is the same without them: `diagnostics`,
 * `user_profile_id` and `workspace_id` (of an account that is not the gateway's), `betas`, `safeguards`, `tags`, `thread` (see
 * `withoutThread`). Members
 * that are not known are ignored too: agents send new ones to every server, and a refusal would stop them.
 */
export const messagesRequestSchema = z.looseObject({ ...members, max_tokens: z.int().min(1) });

/** Without those that are not carried out, such as `context_management`. */
export const messagesMembersRead: ReadonlySet<string> = new Set([
  ...Object.keys(members).filter((name) => name !== 'context_management'),
  'max_tokens',
  'betas',
  'diagnostics',
  'safeguards',
  'tags',
  'thread',
  'user_profile_id',
  'workspace_id',
]);

/** A request to count tokens: the same, and there is no answer to limit. */
export const countTokensSchema = z.looseObject(members);

export type MessagesBody = z.infer<typeof countTokensSchema> & { max_tokens?: number };
export type MessagesToolBody = z.infer<typeof tool>;
export type MessagesTurnBody = z.infer<typeof message>;
