import { randomUUID } from 'node:crypto';
import { parseJsonBody } from '@tallyport/wire';
import { isStorable, storable } from './storable.ts';
import { type CheckedLine, type LineProblem, lineProblem } from './line-problem.ts';

/** Checks a line of OpenAI's API, whose batch has requests of this endpoint only. */
export const checkLineOf =
  (endpoint: string) =>
  (bytes: Buffer): CheckedLine | LineProblem => {
    const line = objectIn(bytes);
    if (!('members' in line)) return line;
    const { custom_id: customId, method, url, body } = line.members;
    if (typeof customId !== 'string' || customId === '' || customId.length > longestId || !isStorable(customId))
      return wrongId(`must be text of 1 to ${longestId} characters`);
    if (method !== 'POST') return lineProblem('invalid_method', 'method', 'The method must be POST.');
    if (url !== endpoint)
      return lineProblem('mismatched_endpoint', 'url', `The url must be the batch's endpoint, ${endpoint}.`);
    return checkedRequestOf(customId, { name: 'body', value: body });
  };

/** Checks a request of Anthropic's API. */
export function checkMessageRequest(bytes: Buffer): CheckedLine | LineProblem {
  const line = objectIn(bytes);
  if (!('members' in line)) return line;
  const { custom_id: customId, params, ...others } = line.members;
  const [other] = Object.keys(others);
  if (other !== undefined)
    return lineProblem('unknown_member', other.slice(0, 100), 'Only custom_id and params are known.');
  if (typeof customId !== 'string' || !isMessageId.test(customId))
    return wrongId(`must be 1 to 64 letters, digits, hyphens or underscores`);
  return checkedRequestOf(customId, { name: 'params', value: params });
}

const longestId = 512;
const isMessageId = /^[a-zA-Z0-9_-]{1,64}$/;

/** The limits of what it reads are those of requests: nothing that it refuses would be served. */
function objectIn(bytes: Buffer): LineProblem | { members: Record<string, unknown> } {
  const read = parseJsonBody([bytes], randomUUID);
  if (!read.ok) return lineProblem('invalid_json_line', null, `This line is no request: ${read.problem.message}`);
  if (!isObject(read.value)) return lineProblem('invalid_json_line', null, 'A line must be one JSON object.');
  return { members: read.value };
}

const wrongId = (rule: string): LineProblem => lineProblem('invalid_custom_id', 'custom_id', `The custom_id ${rule}.`);

function checkedRequestOf(
  customId: string,
  { name, value }: { name: string; value: unknown },
): CheckedLine | LineProblem {
  if (!isObject(value)) return lineProblem('missing_required_parameter', name, `The ${name} must be a JSON object.`);
  for (const member of ['stream', 'background']) {
    if (value[member] === true)
      return lineProblem('unsupported_parameter', `${name}.${member}`, `A batch cannot have ${member}. Leave it out.`);
  }
  const { model } = value;
  return { customId, model: typeof model === 'string' ? storable(model.slice(0, 200)) : undefined };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
