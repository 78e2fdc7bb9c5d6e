import { isObject, objectsOf, type JsonObject } from '@tallyport/sandbox';
import { findFirst } from '../finding.ts';
import { anthropicInvalid, type AnthropicFinding } from './errors.ts';
import type { AnthropicRules } from './models.ts';
import { checkThinking } from './thinking-strictness.ts';

/** Combinations of members that Claude refuses, on every host that serves it. */
export function checkCompanions(body: JsonObject, rules: AnthropicRules): AnthropicFinding {
  return checkForced(body, rules) ?? checkPrefill(body, rules) ?? checkIds(body.messages) ?? checkThinking(body, rules);
}

function checkForced({ tool_choice: choice, thinking }: JsonObject, { forcedTools }: AnthropicRules): AnthropicFinding {
  const type = isObject(choice) ? choice.type : undefined;
  if (type !== 'any' && type !== 'tool') return undefined;
  if (!forcedTools) return anthropicInvalid('tool_choice: type "tool" and "any" are not supported for this model.');
  return thinks(thinking)
    ? anthropicInvalid('Thinking may not be enabled when tool_choice forces tool use.')
    : undefined;
}

const thinks = (thinking: unknown): boolean => isObject(thinking) && thinking.type !== 'disabled';

/** Checks an answer prefilled by the last assistant message. */
function checkPrefill(body: JsonObject, { prefill }: AnthropicRules): AnthropicFinding {
  const { messages, thinking, output_config: output } = body;
  if (objectsOf(messages).at(-1)?.role !== 'assistant') return undefined;
  if (!prefill)
    return anthropicInvalid(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  if (thinks(thinking)) return anthropicInvalid('Prefilling assistant messages is not supported with thinking.');
  return isObject(output) && output.format !== undefined
    ? anthropicInvalid('Prefilling assistant messages is not supported with output_config.format.')
    : undefined;
}

function checkIds(messages: unknown): AnthropicFinding {
  const seen = new Set<unknown>();
  return findFirst(objectsOf(messages), ({ content }, index) =>
    findFirst(objectsOf(content), ({ type, id }, place) => {
      if (type !== 'tool_use') return undefined;
      const isKnown = seen.has(id);
      seen.add(id);
      return isKnown
        ? anthropicInvalid(`messages.${index}.content.${place}: \`tool_use\` ids must be unique`)
        : undefined;
    }),
  );
}
