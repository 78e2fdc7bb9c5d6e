import type { ChatRequest } from '@tallyport/wire';
import { readTools } from '../conversation/tools.ts';
import { items, members, text } from '../read.ts';
import { leaveOut, type VendorBody } from './vendor-body.ts';

/** Restricts the model to allowed tools by sending only those. */
export function offerAllowedTools(body: VendorBody, request: ChatRequest): void {
  const choice = request.tool_choice;
  if (typeof choice !== 'object' || choice?.type !== 'allowed_tools') return;
  const allowed = new Set(readTools(request).tools.map(({ name }) => name));
  body.tools = items(body.tools).filter((tool) => allowed.has(text(members(members(tool).function).name) ?? ''));
  body.tool_choice = choice.allowed_tools.mode;
}

/** `validated` exists only at Gemini; other vendors get `auto`. */
export function leaveOutValidation(body: VendorBody): void {
  if (body.tool_choice === 'validated') body.tool_choice = 'auto';
}

/**
 * Removes empty lists of tools, which vendors refuse, and the settings that belong to them. A choice that requires a
 * tool is kept, so that the vendor reports the error.
 */
export function leaveOutEmptyTools(body: VendorBody): void {
  for (const name of ['tools', 'functions']) {
    if (body[name] === null || items(body[name]).length === 0) leaveOut(body, name);
  }
  if (body.tools !== undefined) return;
  leaveOut(body, 'parallel_tool_calls');
  if (isPlainChoice(body.tool_choice)) delete body.tool_choice;
  if (body.functions === undefined && isPlainChoice(body.function_call)) delete body.function_call;
}

const isPlainChoice = (choice: unknown): boolean => choice === 'auto' || choice === 'none' || choice === null;
