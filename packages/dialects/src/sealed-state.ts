import { sealedPrefix, structureProblem } from '@tallyport/wire';
import { z } from 'zod';
import { refuseMember } from './refuse-member.ts';

/**
 * What vendors add to an answer and want back with it, such as signatures of thinking. Clients of some APIs keep one
 * opaque text for it: `encrypted_content` of Responses, `thoughtSignature` of Gemini.
 */
interface AnswerState {
  /** `reasoning_details` of the message. */
  details: readonly unknown[];
  /** `extra_content` of calls and images, by the id of the call or item. */
  extras: Readonly<Record<string, Record<string, unknown>>>;
}

const stateSchema = z.object({
  details: z.array(z.unknown()),
  extras: z.record(z.string(), z.record(z.string(), z.unknown())),
});

export const isSealedHere = (sealed: string): boolean => sealed.startsWith(sealedPrefix);

/** Not encrypted: it holds what the client of a chat may see as well. The tag names the vendor's format for people. */
export function sealState(state: AnswerState): string {
  const encoded = Buffer.from(JSON.stringify(state)).toString('base64url');
  return `${sealedPrefix}${tagOf(state)}.${encoded}`;
}

function tagOf({ details, extras }: AnswerState): string {
  const formats = details.map((detail) => z.object({ format: z.string() }).safeParse(detail).data?.format);
  const vendors = Object.values(extras).flatMap(Object.keys);
  const tag = [...formats, ...vendors].find((name) => name !== undefined) ?? 'unknown';
  return tag.replaceAll(/[^\w-]/g, '_');
}

/**
 * Undefined for the text of another service: it proves nothing to any vendor behind this gateway, and the item's summary
 * remains. Throws `invalid_parameters` for a text made here that was changed.
 */
export function unsealState(sealed: string, param: string): AnswerState | undefined {
  if (!isSealedHere(sealed)) return undefined;
  const state = stateSchema.safeParse(parsed(sealed.slice(sealed.lastIndexOf('.') + 1)));
  if (state.success && structureProblem(state.data) === undefined) return state.data;
  return refuseMember(param, 'must be sent back unchanged');
}

function parsed(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString());
  } catch {
    return undefined;
  }
}
