import { isObject, objectsOf, type JsonObject } from '@tallyport/sandbox';
import { anthropicInvalid, type AnthropicFinding } from './errors.ts';
import type { AnthropicRules } from './models.ts';

export function checkThinking(body: JsonObject, rules: AnthropicRules): AnthropicFinding {
  const { thinking } = body;
  if (thinking === undefined) return undefined;
  const type = isObject(thinking) ? thinking.type : undefined;
  if (!isObject(thinking) || (type !== 'enabled' && type !== 'adaptive' && type !== 'disabled'))
    return anthropicInvalid("thinking: Input tag should be one of 'enabled', 'adaptive', 'disabled'");
  if (type === 'disabled') return checkDisabled(body.output_config, rules);
  if (!rules.thinking.includes(type))
    return anthropicInvalid(`\`thinking.type.${type}\` is not supported for this model.`);
  return (type === 'enabled' ? checkBudget(body, thinking) : undefined) ?? checkCompany(body, rules);
}

function checkDisabled(output: unknown, { effortsWithoutThinking: efforts }: AnthropicRules): AnthropicFinding {
  if (efforts.length === 0) return anthropicInvalid('"thinking.type.disabled" is not supported for this model.');
  const effort = isObject(output) ? output.effort : undefined;
  if (effort === undefined || efforts.includes(String(effort))) return undefined;
  return anthropicInvalid(`Thinking may not be disabled with effort level '${String(effort)}'.`);
}

function checkBudget(body: JsonObject, { budget_tokens: budget }: JsonObject): AnthropicFinding {
  if (typeof budget !== 'number') return anthropicInvalid('thinking.enabled.budget_tokens: Field required');
  if (budget < 1024)
    return anthropicInvalid('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  if (budget >= Number(body.max_tokens))
    return anthropicInvalid('`max_tokens` must be greater than `thinking.budget_tokens`.');
  return checkLastTurn(objectsOf(body.messages));
}

function checkCompany(body: JsonObject, { sampling }: AnthropicRules): AnthropicFinding {
  if (sampling && body.temperature !== undefined && body.temperature !== 1)
    return anthropicInvalid('`temperature` may only be set to 1 when thinking is enabled.');
  return body.top_k === undefined ? undefined : anthropicInvalid('`top_k` must be unset when thinking is enabled.');
}

/** In a tool turn, the thinking before the call must be sent back with it. */
function checkLastTurn(messages: readonly JsonObject[]): AnthropicFinding {
  const index = messages.findLastIndex(({ role }) => role === 'assistant');
  const blocks = objectsOf(messages[index]?.content);
  const inTurn = index === messages.length - 2 && blocks.some(({ type }) => type === 'tool_use');
  const first = blocks[0]?.type;
  if (!inTurn || first === 'thinking' || first === 'redacted_thinking') return undefined;
  return anthropicInvalid(
    `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
  );
}
