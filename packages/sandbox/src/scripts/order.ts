import { isObject, type JsonObject } from '../json.ts';
import type { Course, Step } from './behaviour.ts';
import type { ScriptOrder } from './scripts.ts';

const longestMs = 24 * 3_600_000;
const maxSteps = 1_000;

/** The script in this body, or an error message. */
export function readScript(body: unknown): ScriptOrder | string {
  if (!isObject(body)) return 'The body must be JSON: {"provider", "model"?, "steps": [{"forMs", …}], "repeat"?}.';
  const invalidName = findWrong(body);
  if (invalidName !== undefined) return invalidName;
  const { provider, model, steps, repeat } = body;
  const read = (Array.isArray(steps) ? steps : []).map(readStep);
  const wrongStep = read.find((step) => typeof step === 'string');
  if (wrongStep !== undefined) return wrongStep;
  return {
    provider: String(provider),
    steps: read.filter((step) => typeof step !== 'string'),
    ...(model !== undefined && { model: String(model) }),
    ...(repeat !== undefined && { repeat: repeat === true }),
  };
}

function findWrong({ provider, model, steps, repeat }: JsonObject): string | undefined {
  if (typeof provider !== 'string' || provider === '') return "'provider' must be a string.";
  if (model !== undefined && typeof model !== 'string') return "'model' must be a string.";
  if (repeat !== undefined && typeof repeat !== 'boolean') return "'repeat' must be true or false.";
  if (!Array.isArray(steps) || steps.length === 0 || steps.length > maxSteps)
    return `'steps' must be a list of 1 to ${maxSteps} steps.`;
  return undefined;
}

/** The minimum and maximum of each member. */
const bounds: Readonly<Record<string, readonly [least: number, most: number]>> = {
  forMs: [1, longestMs],
  uptime: [0, 1],
  latencyMs: [0, 3_600_000],
  chunksPerSecond: [0.01, 10_000],
  status: [400, 599],
  retryAfter: [0, 86_400],
};

const courses = new Set(['uptime', 'latencyMs', 'chunksPerSecond']);

function readStep(step: unknown, index: number): Step | string {
  const at = `steps[${index}]`;
  if (!isObject(step)) return `'${at}' must be an object.`;
  const unknown = Object.keys(step).find((name) => !Object.hasOwn(bounds, name));
  if (unknown !== undefined) return `'${at}.${unknown}' is not known. Known: ${Object.keys(bounds).join(', ')}.`;
  const invalidName = Object.keys(bounds).find((name) => !isFitting(step, name));
  if (invalidName !== undefined) {
    const [least, most] = bounds[invalidName] ?? [0, 0];
    const pair = courses.has(invalidName) ? ', or a pair of them: [from, to]' : '';
    return `'${at}.${invalidName}' must be a number from ${least} to ${most}${pair}.`;
  }
  return stepOf(step);
}

function isFitting(step: JsonObject, name: string): boolean {
  const value = step[name];
  if (value === undefined) return name !== 'forMs';
  const [least, most] = bounds[name] ?? [0, 0];
  const fits = (number: unknown) => typeof number === 'number' && number >= least && number <= most;
  return fits(value) || (courses.has(name) && Array.isArray(value) && value.length === 2 && value.every(fits));
}

/** Every member has been checked at this point. */
function stepOf(step: JsonObject): Step {
  return {
    forMs: Number(step.forMs),
    ...(step.uptime !== undefined && { uptime: courseOf(step.uptime) }),
    ...(step.latencyMs !== undefined && { latencyMs: courseOf(step.latencyMs) }),
    ...(step.chunksPerSecond !== undefined && { chunksPerSecond: courseOf(step.chunksPerSecond) }),
    ...(step.status !== undefined && { status: Number(step.status) }),
    ...(step.retryAfter !== undefined && { retryAfter: Number(step.retryAfter) }),
  };
}

const courseOf = (value: unknown): Course =>
  Array.isArray(value) ? [Number(value[0]), Number(value[1])] : Number(value);
