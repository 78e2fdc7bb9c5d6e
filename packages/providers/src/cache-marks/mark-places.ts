import type { MessagesCacheControl } from '@tallyport/wire';
import { isMembers } from '../read.ts';
import type { CacheMarking, PromptReuse } from './cache-marking.ts';

/** A prompt in the order in which vendors cache it. */
export interface PromptOutline {
  tools: readonly unknown[];
  system: readonly unknown[];
  /** Without `system`. */
  messages: readonly unknown[];
  /** The last message of the client's side, by its index in `messages`. */
  latest: number;
  /** The one before the last answer; below 0 in the first turn. */
  previous: number;
}

/** Where a prompt is marked. */
export interface MarkPlaces {
  tools: boolean;
  system: boolean;
  /** Indices in `messages`. */
  messages: readonly number[];
}

/** Fewer than vendors count for most texts, because the mark of a prefix that is too short costs nothing. */
const charactersPerToken = 3;
/** About a thousand tokens, for a file of any size. */
const charactersPerFile = 3_000;

/**
 * The places to mark, at most four. A conversation with an answer or with tools goes on, so its end is written for the next
 * turn, and the end of the turn before is marked to read what that turn wrote. Of a first question without tools, only
 * the beginning is written, and only if other requests begin in the same way. `undefined` if nothing would be read again.
 */
export function markPlaces(
  outline: PromptOutline,
  marking: CacheMarking,
  { isShared }: PromptReuse,
): MarkPlaces | undefined {
  if (marking.implicit) return markedInstructions(outline, marking);
  const { tools, system, messages, latest, previous } = outline;
  const goesOn = previous >= 0 || tools.length > 0;
  if (!goesOn && !isShared) return undefined;
  const least = marking.leastTokens * charactersPerToken;
  const ofTools = lengthOf(tools, 0, least);
  const ofSystem = lengthOf(system, ofTools, least);
  const turns = goesOn ? [previous, latest].filter((index) => index >= 0) : [];
  let length = ofSystem;
  let counted = 0;
  const long = turns.filter((index) => {
    for (; counted <= index && length < least; counted += 1) length = lengthOf(messages[counted], length, least);
    return length >= least;
  });
  const places = {
    tools: marking.tools && tools.length > 0 && ofTools >= least,
    system: system.length > 0 && ofSystem >= least,
    messages: long,
  };
  return places.tools || places.system || long.length > 0 ? places : undefined;
}

/** The vendor writes these tokens in any case, so the mark costs nothing. */
function markedInstructions({ tools, system }: PromptOutline, { leastTokens }: CacheMarking): MarkPlaces | undefined {
  const least = leastTokens * charactersPerToken;
  const isLong = system.length > 0 && lengthOf([tools, system], 0, least) >= least;
  return isLong ? { tools: false, system: true, messages: [] } : undefined;
}

/** The length with the texts in a value. Counts no further than the number that matters. */
export function lengthOf(value: unknown, before: number, most: number): number {
  if (typeof value === 'string') return before + (value.startsWith('data:') ? charactersPerFile : value.length);
  if (typeof value !== 'object' || value === null) return before;
  let length = before;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && length < most; index += 1) {
      length = lengthOf(value[index], length, most);
    }
    return length;
  }
  for (const name in value) {
    if (length >= most) return length;
    const member: unknown = (value as Record<string, unknown>)[name];
    length = name === 'data' ? length + charactersPerFile : lengthOf(member, length, most);
  }
  return length;
}

/** Whether a text can be marked: vendors refuse a mark on a blank one. */
export const isMarkable = (text: unknown): text is string => typeof text === 'string' && /\S/.test(text);

/** Whether a part, block, tool, message or request has a mark of the client's own. */
export const hasMark = (value: unknown): boolean =>
  isMembers(value) && (value.cache_control !== undefined || value.prompt_cache_breakpoint !== undefined);

export const markFor = ({ hour }: CacheMarking, { lifetime }: PromptReuse): MessagesCacheControl =>
  hour && lifetime === '1h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' };
