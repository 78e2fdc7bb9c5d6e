import type { ChatRequest } from '@tallyport/wire';
import type { ToolNames } from './tool-names.ts';
import type { ResponsesToolChoice } from './tool-schema.ts';
import { refuseMember } from '../refuse-member.ts';

type ChatToolChoice = NonNullable<ChatRequest['tool_choice']>;
type NamedChoice = Extract<ResponsesToolChoice, { type: 'function' | 'custom' }>;
type AllowedChoice = Extract<ResponsesToolChoice, { type: 'allowed_tools' }>;

/** Which tools the model may or must call. A choice that a tool of the chat cannot satisfy is refused. */
export function readToolChoice(choice: ResponsesToolChoice, names: ToolNames, hasTools: boolean): ChatToolChoice {
  if (choice === 'required' && !hasTools) refuseMember('tool_choice', 'no tool that can be called is declared.');
  if (typeof choice === 'string') return choice;
  switch (choice.type) {
    case 'function':
    case 'custom':
      return chosen(choice, 'tool_choice', names);
    case 'allowed_tools':
      return allowedTools(choice, names);
    default:
      refuseMember('tool_choice.type', `${choice.type} is not available.`);
  }
}

function chosen({ type, name, namespace }: NamedChoice, path: string, names: ToolNames) {
  const target = { kind: type, name, ...(namespace != null && { namespace }) };
  if (!names.isDeclared(target)) refuseMember(`${path}.name`, `no ${type} tool has this name.`);
  return { type: 'function' as const, function: { name: names.nameOf(target) } };
}

/** Tools of the vendor among them are left out, as hosted ones are where they are declared. */
function allowedTools({ mode, tools }: AllowedChoice, names: ToolNames): ChatToolChoice {
  const allowed = tools.flatMap((tool, index) =>
    tool.type === 'function' || tool.type === 'custom' ? [chosen(tool, `tool_choice.tools[${index}]`, names)] : [],
  );
  if (allowed.length > 0) return { type: 'allowed_tools', allowed_tools: { mode, tools: allowed } };
  if (mode === 'required') refuseMember('tool_choice.tools', 'none of these tools is available.');
  return 'none';
}
