import type { ChatCall } from '../spec/provider.ts';
import type { ChatRequest } from '@tallyport/wire';
import { isMembers } from '../read.ts';
import { leaveOut, type VendorBody } from './vendor-body.ts';

type ToolChoice = 'auto' | 'none' | 'required' | 'named';
type ResponseFormat = 'json_object' | 'json_schema';

/** Features a vendor lacks whose loss would change the answer. All rules that apply are combined. */
export interface Refusals {
  /** Members the vendor refuses or ignores. */
  refuse?: readonly string[];
  /** The tool choices the vendor supports. `none` always works, because the tools are left out. */
  toolChoices?: readonly ToolChoice[];
  responseFormats?: readonly ResponseFormat[];
  /** The maximum number of stop texts. */
  mostStops?: number;
  /** True if the vendor answers only with streams. */
  streamOnly?: boolean;
}

/** The first member of the request that these rules do not support. */
export function refusedMember(rules: readonly Refusals[], call: ChatCall): string | undefined {
  for (const rule of rules) {
    const name = refusedBy(rule, call) ?? rule.refuse?.find((member) => isRequested(call.request, member));
    if (name !== undefined) return name;
  }
  return undefined;
}

function refusedBy(rule: Refusals, { request, stream }: ChatCall): string | undefined {
  if (refusesChoice(rule, request)) return 'tool_choice';
  if (refusesFormat(rule, request)) return 'response_format';
  if (Array.isArray(request.stop) && request.stop.length > (rule.mostStops ?? Infinity)) return 'stop';
  return rule.streamOnly === true && !stream ? 'stream' : undefined;
}

function refusesChoice({ toolChoices }: Refusals, request: ChatRequest): boolean {
  if (toolChoices === undefined) return false;
  const choice = toolChoiceOf(request.tool_choice);
  return choice !== 'none' && !toolChoices.includes(choice);
}

function refusesFormat({ responseFormats }: Refusals, request: ChatRequest): boolean {
  const format = request.response_format?.type ?? 'text';
  return responseFormats !== undefined && format !== 'text' && !responseFormats.includes(format);
}

/** Removes unsupported members that only state a default: some vendors refuse even their names. */
export function leaveOutRefused(body: VendorBody, rules: readonly Refusals[]): void {
  for (const { refuse = [], toolChoices } of rules) {
    for (const name of refuse) leaveOut(body, name);
    if (body.tool_choice !== 'none' || (toolChoices?.includes('none') ?? true)) continue;
    for (const name of ['tools', 'tool_choice', 'parallel_tool_calls']) leaveOut(body, name);
  }
}

function toolChoiceOf(choice: ChatRequest['tool_choice']): ToolChoice {
  if (choice === null || choice === undefined || choice === 'validated') return 'auto';
  if (typeof choice === 'string') return choice;
  return choice.type === 'allowed_tools' ? choice.allowed_tools.mode : 'named';
}

/** For a web search, an empty object counts as set. Text is the default of `modalities`. */
function isRequested(request: ChatRequest, member: string): boolean {
  if (member === 'web_search_options') return isMembers(request[member]);
  if (member === 'modalities') return request.modalities?.some((output) => output !== 'text') ?? false;
  return hasValue(request[member]);
}

function hasValue(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return isMembers(value) ? Object.keys(value).length > 0 : true;
}
