import type { ChatCall } from '../provider.ts';
import type { ChatRequest } from '@switchyard/wire';
import { isMembers } from '../read.ts';
import type { VendorBody } from './vendor-body.ts';

export type ToolChoice = 'auto' | 'none' | 'required' | 'named' | 'allowed';
export type ResponseFormat = 'json_object' | 'json_schema';

/** What a vendor cannot do, where leaving it out would change what the answer means. Of several rules all count. */
export interface Refusals {
  /** Members it refuses or ignores. */
  refuse?: readonly string[];
  /** The tool choices it honours. `none` is always possible: the tools are left out. */
  toolChoices?: readonly ToolChoice[];
  responseFormats?: readonly ResponseFormat[];
  /** The longest list of stop texts. */
  mostStops?: number;
  /** True where it answers streams only. */
  streamOnly?: boolean;
}

/** The member of the request that these rules cannot honour. */
export function refusedMember(rules: readonly Refusals[], call: ChatCall): string | undefined {
  for (const rule of rules) {
    const check = checks.find(({ refuses }) => refuses(rule, call));
    const name = check?.param ?? rule.refuse?.find((member) => asksForSomething(call.request[member]));
    if (name !== undefined) return name;
  }
  return undefined;
}

const checks: readonly { param: string; refuses(rule: Refusals, call: ChatCall): boolean }[] = [
  {
    param: 'tool_choice',
    refuses: ({ toolChoices }, { request }) => {
      const choice = toolChoiceOf(request.tool_choice);
      return toolChoices !== undefined && choice !== 'none' && !toolChoices.includes(choice);
    },
  },
  {
    param: 'response_format',
    refuses: ({ responseFormats }, { request }) => {
      const format = request.response_format?.type ?? 'text';
      return responseFormats !== undefined && format !== 'text' && !responseFormats.includes(format);
    },
  },
  {
    param: 'stop',
    refuses: ({ mostStops = Infinity }, { request }) => Array.isArray(request.stop) && request.stop.length > mostStops,
  },
  { param: 'stream', refuses: ({ streamOnly }, { stream }) => streamOnly === true && !stream },
];

/** Members that say "as usual" are left out instead of being refused; a vendor may refuse even their names. */
export function leaveOutRefused(body: VendorBody, rules: readonly Refusals[]): void {
  for (const { refuse = [], toolChoices } of rules) {
    for (const name of refuse) delete body[name];
    if (body.tool_choice !== 'none' || (toolChoices?.includes('none') ?? true)) continue;
    for (const name of ['tools', 'tool_choice', 'parallel_tool_calls']) delete body[name];
  }
}

function toolChoiceOf(choice: ChatRequest['tool_choice']): ToolChoice {
  if (choice === null || choice === undefined) return 'auto';
  if (typeof choice === 'string') return choice;
  return choice.type === 'allowed_tools' ? 'allowed' : 'named';
}

function asksForSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return isMembers(value) ? Object.keys(value).length > 0 : true;
}
