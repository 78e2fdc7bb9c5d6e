import type { Offer } from '@tallyport/contracts';
import { isSealedSignature, type NativeRequest } from '@tallyport/wire';
import { items, type Members, members, text } from '../../read.ts';
import { geminiRules } from '../models.ts';
import { geminiNames } from '../names.ts';

/** Clients send the same members to every model, and each generation of models refuses some of them. */
export function fitsInteractions({ members: body }: NativeRequest, { modelName }: Offer): boolean {
  const { thinking, instructions, signatures } = geminiRules(modelName);
  const level = text(members(body.generation_config).thinking_level)?.toUpperCase();
  const knowsLevel =
    level === undefined ||
    thinking.kind === 'budget' ||
    (thinking.kind === 'level' && thinking.levels.some((known) => known === level));
  return (
    knowsLevel &&
    (instructions || body.system_instruction == null) &&
    items(body.tools).map(members).every(fitsName) &&
    !hasForeignSteps(items(body.input).map(members), signatures)
  );
}

/** A translation sends other names in place of those that the vendor refuses. */
const fitsName = ({ type, name }: Members): boolean =>
  type !== 'function' || typeof name !== 'string' || geminiNames.test(name);

/** The thoughts of another vendor's model, which this gateway sealed. */
export const isSealedThought = ({ type, signature }: Members): boolean =>
  type === 'thought' && typeof signature === 'string' && isSealedSignature(signature);

/** A thought signs the calls behind it. In the current turn, calls of another vendor's model have no signature of Google's. */
function hasForeignSteps(steps: readonly Members[], signatures: boolean): boolean {
  if (steps.some(isSealedThought)) return true;
  if (!signatures) return false;
  let isSigned = false;
  return steps.slice(steps.findLastIndex(({ type }) => type === 'user_input') + 1).some(({ type, signature }) => {
    if (type === 'thought') isSigned ||= text(signature) !== undefined;
    if (type === 'function_result') isSigned = false;
    return type === 'function_call' && !isSigned;
  });
}
