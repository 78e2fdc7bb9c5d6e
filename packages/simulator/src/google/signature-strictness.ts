import { findFirst } from '../finding.ts';
import { isObject, type JsonObject } from '@tallyport/sandbox';
import { signThought } from '../thought-signature.ts';
import { partsOf } from './content-strictness.ts';
import { googleInvalid } from './errors.ts';
import type { GoogleFinding } from './unknown.ts';

/** Accepted in place of a lost signature. */
const skips = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];

/**
 * In the current turn, the first call of each step must have its signature; older turns are not checked. Each of the
 * vendor's hosts has signatures of its own.
 */
export function checkSignatures(contents: readonly JsonObject[], host: string): GoogleFinding {
  const start = contents.findLastIndex(isRealQuestion);
  return findFirst(contents, (content, index) => (index > start ? checkStep(content, { index, host }) : undefined));
}

const isRealQuestion = (content: JsonObject) =>
  content.role !== 'model' && partsOf(content, 'functionResponse').length === 0;

interface StepPlace {
  index: number;
  host: string;
}

function checkStep(content: JsonObject, { index, host }: StepPlace): GoogleFinding {
  const call = partsOf(content, 'functionCall')[0];
  if (call === undefined) return undefined;
  const name = isObject(call.functionCall) ? String(call.functionCall.name) : '';
  const position = partsOf(content, 'functionCall').indexOf(call) + 1;
  if (call.thoughtSignature === undefined)
    return googleInvalid(
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${index + position}.`,
    );
  const known = call.thoughtSignature === signatureOfCall(name, host) || skips.includes(String(call.thoughtSignature));
  return known ? undefined : googleInvalid('Corrupted thought signature.');
}

export const signatureOfCall = (name: string, host: string): string => signThought(`${host}/call/${name}`);
