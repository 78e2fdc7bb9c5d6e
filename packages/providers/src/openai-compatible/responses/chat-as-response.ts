import { isMembers, items, type Members, members, text } from '../../read.ts';
import { withThoughts } from './sealed-thoughts.ts';

/** A part of a chat that the Responses API has no counterpart for. */
class NoCounterpart extends Error {}

/**
 * The prompt of a chat as OpenAI's Responses API has it: the same messages, tools and settings under other names.
 * `undefined` if a part of it has no counterpart, such as audio.
 */
export function chatAsResponse(request: Members): Members | undefined {
  try {
    return translated(request);
  } catch (thrown) {
    if (thrown instanceof NoCounterpart) return undefined;
    throw thrown;
  }
}

function translated(request: Members): Members {
  const { model, reasoning_effort: effort, response_format: format, verbosity, tool_choice: choice } = request;
  const tools = [
    ...items(request.tools).map(toolOf),
    ...items(request.functions).map((each) => functionOf(members(each))),
  ];
  const shape = {
    ...(format != null && { format: formatOf(members(format)) }),
    ...(verbosity != null && { verbosity }),
  };
  return {
    model,
    input: items(request.messages).flatMap((message) => itemsOf(members(message))),
    ...(tools.length > 0 && { tools }),
    ...(choice != null && { tool_choice: choiceOf(choice) }),
    ...(typeof request.parallel_tool_calls === 'boolean' && { parallel_tool_calls: request.parallel_tool_calls }),
    ...(effort != null && { reasoning: { effort } }),
    ...(Object.keys(shape).length > 0 && { text: shape }),
  };
}

function itemsOf(message: Members): Members[] {
  const { role, content, tool_call_id: id } = message;
  switch (role) {
    case 'system':
    case 'developer':
    case 'user':
      return [{ type: 'message', role, content: typeof content === 'string' ? content : items(content).map(partOf) }];
    case 'assistant':
      return withThoughts(
        message,
        spoken(message),
        items(message.tool_calls).map((call) => callOf(members(call))),
      );
    case 'tool':
      return [{ type: 'function_call_output', call_id: id, output: outputOf(content) }];
    default:
      throw new NoCounterpart();
  }
}

function spoken({ content, refusal, function_call: old }: Members): Members[] {
  if (old != null) throw new NoCounterpart();
  const said = textOf(content);
  const parts = [
    ...(said === '' ? [] : [{ type: 'output_text', text: said }]),
    ...(text(refusal) === undefined ? [] : [{ type: 'refusal', refusal }]),
  ];
  return parts.length === 0 ? [] : [{ type: 'message', role: 'assistant', content: parts }];
}

/** A text, unless a part of it ends a cached prompt. */
const outputOf = (content: unknown): unknown =>
  items(content).some((part) => breakpointOf(members(part)).prompt_cache_breakpoint !== undefined)
    ? items(content).map(partOf)
    : textOf(content);

const textOf = (content: unknown): string =>
  text(content) ??
  items(content)
    .map((part) => text(members(part).text) ?? '')
    .join('');

const partOf = (part: unknown): Members => ({ ...contentOf(members(part)), ...breakpointOf(members(part)) });

const breakpointOf = ({ prompt_cache_breakpoint: mark }: Members): Members =>
  mark == null ? {} : { prompt_cache_breakpoint: mark };

function contentOf({ type, text: said, image_url: image, file }: Members): Members {
  if (type === 'text') return { type: 'input_text', text: said };
  if (type === 'image_url') {
    const { url, detail = 'auto' } = members(image);
    return { type: 'input_image', image_url: url, detail };
  }
  const { file_data: data, filename, file_id: id } = members(file);
  if (type === 'file' && typeof data === 'string') return { type: 'input_file', file_data: data, filename };
  if (type === 'file' && typeof id === 'string') return { type: 'input_file', file_id: id };
  throw new NoCounterpart();
}

function callOf({ id, function: called, custom }: Members): Members {
  if (isMembers(custom)) return { type: 'custom_tool_call', call_id: id, name: custom.name, input: custom.input };
  const { name, arguments: input } = members(called);
  return { type: 'function_call', call_id: id, name, arguments: input };
}

function toolOf(tool: unknown): Members {
  const { type, function: declared, custom } = members(tool);
  if (type === 'function') return functionOf(members(declared));
  const { name, description, format } = members(custom);
  const { type: kind, grammar } = members(format);
  const form = kind === 'grammar' ? { format: { type: kind, ...members(grammar) } } : {};
  return { type: 'custom', name, ...(description != null && { description }), ...form };
}

/** Without `strict`, this API tries to be strict, and a chat does not. */
const functionOf = ({ name, description, parameters, strict }: Members): Members => ({
  type: 'function',
  name,
  ...(description != null && { description }),
  parameters: parameters ?? null,
  strict: strict === true,
});

const formatOf = ({ type, json_schema: schema }: Members): Members => ({ type, ...members(schema) });

function choiceOf(choice: unknown): unknown {
  const { type, function: named, custom, allowed_tools: allowed } = members(choice);
  if (typeof choice === 'string') return choice;
  if (!isMembers(allowed)) return { type, name: members(named ?? custom).name };
  return { type, mode: allowed.mode, tools: items(allowed.tools).map(choiceOf) };
}
