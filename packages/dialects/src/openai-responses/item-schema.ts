import { z } from 'zod';
import { isPlainObject } from '../plain-object.ts';
import { reasoningEffort, textFormat } from './format-schema.ts';
import { responsesToolSchema } from './tool-schema.ts';

const foreignCompaction =
  'only the vendor that made it can read it; use a model there, or send the items that it stands for';

/** Kinds of items that only exist where their vendor runs or stores something. */
const vendorItems: Readonly<Record<string, string>> = {
  agent_message: 'messages between agents have no counterpart in a chat',
  apply_patch_call: 'declare a function or custom tool instead of apply_patch',
  apply_patch_call_output: 'declare a function or custom tool instead of apply_patch',
  code_interpreter_call: 'this gateway does not run code',
  compaction: foreignCompaction,
  compaction_trigger: 'it must be the last item of input',
  computer_call: 'computer use is not available',
  computer_call_output: 'computer use is not available',
  context_compaction: foreignCompaction,
  file_search_call: 'this gateway does not search files',
  item_reference: 'this gateway stores no responses; send the item itself (in the AI SDK: store: false)',
  local_shell_call: 'declare a function tool instead of local_shell',
  local_shell_call_output: 'declare a function tool instead of local_shell',
  mcp_approval_request: 'this gateway does not call MCP servers for a response',
  mcp_approval_response: 'this gateway does not call MCP servers for a response',
  mcp_call: 'this gateway does not call MCP servers for a response',
  mcp_list_tools: 'this gateway does not call MCP servers for a response',
  program: 'programmatic tool calling is not available',
  program_output: 'programmatic tool calling is not available',
  shell_call: 'declare a function tool instead of shell',
  shell_call_output: 'declare a function tool instead of shell',
};

const id = z.string().nullish();
const breakpoint = { prompt_cache_breakpoint: z.looseObject({}).nullish() };

const inputText = z.looseObject({ type: z.literal('input_text'), text: z.string(), ...breakpoint });
const inputImage = z.looseObject({
  type: z.literal('input_image'),
  image_url: z.string().nullish(),
  file_id: z.string().nullish(),
  detail: z.string().nullish(),
  ...breakpoint,
});
const inputFile = z.looseObject({
  type: z.literal('input_file'),
  file_data: z.string().nullish(),
  file_id: z.string().nullish(),
  file_url: z.string().nullish(),
  filename: z.string().nullish(),
  ...breakpoint,
});
const inputAudio = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string(), format: z.string() }),
});
const outputText = z.looseObject({ type: z.literal('output_text'), text: z.string() });
const refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });

const contentOf = <Part extends z.ZodType>(part: Part, kinds: string) =>
  z.union([z.string(), z.array(part)], { error: `must be a string or an array of content parts (${kinds})` });

const textContent = contentOf(z.discriminatedUnion('type', [inputText], { error: 'must be input_text' }), 'input_text');
const userContent = contentOf(
  z.discriminatedUnion('type', [inputText, inputImage, inputFile, inputAudio], {
    error: 'must be one of input_text, input_image, input_file, input_audio',
  }),
  'input_text, input_image, input_file, input_audio',
);
const assistantContent = contentOf(
  z.discriminatedUnion('type', [outputText, refusal, inputText], {
    error: 'must be one of output_text, refusal, input_text',
  }),
  'output_text, refusal',
);
const outputContent = contentOf(
  z.discriminatedUnion('type', [inputText, inputImage, inputFile], {
    error: 'must be one of input_text, input_image, input_file',
  }),
  'input_text, input_image, input_file',
);

const message = z.discriminatedUnion(
  'role',
  [
    z.looseObject({ type: z.literal('message'), role: z.literal('user'), content: userContent }),
    z.looseObject({ type: z.literal('message'), role: z.literal('assistant'), content: assistantContent }),
    z.looseObject({ type: z.literal('message'), role: z.literal('system'), content: textContent }),
    z.looseObject({ type: z.literal('message'), role: z.literal('developer'), content: textContent }),
  ],
  { error: 'must be one of user, assistant, system, developer' },
);

/** Calls made by a program run on the vendor's side. */
const caller = z
  .looseObject({
    type: z.literal('direct', 'programmatic tool calling is not available; must be direct'),
  })
  .nullish();
const call = { id, call_id: z.string(), name: z.string().min(1), namespace: z.string().nullish(), caller };

const searching = { call_id: z.string().nullish(), execution: z.enum(['client', 'server']).nullish() };

const items = z.discriminatedUnion(
  'type',
  [
    message,
    z.looseObject({
      type: z.literal('reasoning'),
      id,
      summary: z.array(z.looseObject({ text: z.string() })).nullish(),
      content: z.array(z.looseObject({ text: z.string() })).nullish(),
      encrypted_content: z.string().nullish(),
    }),
    z.looseObject({ type: z.literal('function_call'), ...call, arguments: z.string() }),
    z.looseObject({ type: z.literal('function_call_output'), call_id: z.string(), output: outputContent, caller }),
    z.looseObject({ type: z.literal('custom_tool_call'), ...call, input: z.string() }),
    z.looseObject({ type: z.literal('custom_tool_call_output'), call_id: z.string(), output: outputContent, caller }),
    z.looseObject({
      type: z.literal('image_generation_call'),
      id,
      result: z.string().nullish(),
      output_format: z.string().nullish(),
    }),
    // A search that the vendor made says nothing that its output, or the text after it, does not.
    z.looseObject({ type: z.literal('tool_search_call'), ...searching, arguments: z.unknown() }),
    z.looseObject({ type: z.literal('web_search_call') }),
    z.looseObject({ type: z.literal('tool_search_output'), ...searching, tools: z.array(responsesToolSchema) }),
    z.looseObject({ type: z.literal('additional_tools'), tools: z.array(responsesToolSchema) }),
    z.looseObject({
      type: z.literal('configuration_update'),
      reasoning: z.looseObject({ effort: reasoningEffort.nullish() }).nullish(),
      text: z.looseObject({ format: textFormat.nullish() }).nullish(),
    }),
  ],
  { error: ({ input }) => kindProblem(input) },
);

/** One item of `input`. A message may leave out its type, and a reference as well. */
export const responsesItemSchema = z.preprocess(withType, items);

export type ResponsesItem = z.infer<typeof items>;
export type ResponsesItemOf<Type extends ResponsesItem['type']> = Extract<ResponsesItem, { type: Type }>;
export type ResponsesInputPart =
  | z.infer<typeof inputText>
  | z.infer<typeof inputImage>
  | z.infer<typeof inputFile>
  | z.infer<typeof inputAudio>;

export const typeOfItem = (item: Record<string, unknown>): unknown =>
  item.type ?? ('role' in item ? 'message' : 'item_reference');

function withType(item: unknown): unknown {
  if (!isPlainObject(item)) return item;
  const type = typeOfItem(item);
  // Only where nothing is stored. The AI SDK refers to reasoning by default, and a chat works without its text.
  const isReasoning = type === 'item_reference' && typeof item.id === 'string' && item.id.startsWith('rs_');
  return isReasoning ? { type: 'reasoning', id: item.id } : { ...item, type };
}

/** Items that a chat cannot express. */
export const isVendorKind = (type: unknown): type is string =>
  typeof type === 'string' && Object.hasOwn(vendorItems, type);

function kindProblem(item: unknown): string {
  const type = isPlainObject(item) ? item.type : undefined;
  const reason = isVendorKind(type) ? vendorItems[type] : undefined;
  if (reason !== undefined) return `${String(type)} is not supported: ${reason}`;
  return 'must be one of message, reasoning, function_call, function_call_output, custom_tool_call, custom_tool_call_output';
}
