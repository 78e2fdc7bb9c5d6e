/** Directives: words in square brackets in the last message that request a behaviour from any family. */
const directives = [
  'broken-arguments',
  'byok',
  'cached',
  'citations',
  'image',
  'interleaved',
  'length',
  'no-arguments',
  'parallel',
  'reasoning',
  'refusal',
  'text',
  'text-and-call',
  'unknown-class',
] as const;

export type Directive = (typeof directives)[number];

export const hasDirective = (text: string, directive: Directive): boolean => text.includes(`[${directive}]`);

/** `[words:200]`: an answer of exactly this many words, for tests and load. */
export function requestedWords(text: string): number | undefined {
  const count = /\[words:(\d{1,7})\]/.exec(text)?.[1];
  return count === undefined ? undefined : Number(count);
}

/** `[digits:1234567890123456789]`: a call whose only argument is this number. */
export const requestedDigits = (text: string): string | undefined => /\[digits:([1-9]\d{0,39})\]/.exec(text)?.[1];

/** `[tier:priority]`: the tier of the answer, also if the request asks for another one. */
export const requestedTier = (text: string): string | undefined => /\[tier:([a-z_]{1,20})\]/.exec(text)?.[1];

/** `[searches:3]`: how often a model with a search tool searches. */
export const requestedSearches = (text: string): number => Number(/\[searches:(\d{1,2})\]/.exec(text)?.[1] ?? 1);

interface RequestedCall {
  readonly name: string;
  /** `undefined`: a sample of the tool's schema. */
  readonly arguments?: Readonly<Record<string, string>>;
}

/**
 * `[call:read_file]`: the tool to call, if the client offers it. `[call:read_file;path=a.txt;mode=text]` also sets the
 * arguments, as strings of up to 200 characters without quotes, because agents escape these.
 */
export function requestedCall(text: string): RequestedCall | undefined {
  const [, name, given = ''] = /\[call:([\w.-]{1,64})((?:;\w{1,64}=[^;"\]]{0,200}){0,8})\]/.exec(text) ?? [];
  if (name === undefined) return undefined;
  return given === '' ? { name } : { name, arguments: Object.fromEntries(given.slice(1).split(';').map(nameAndValue)) };
}

function nameAndValue(member: string): [string, string] {
  const place = member.indexOf('=');
  return [member.slice(0, place), member.slice(place + 1)];
}

/** `[finish:eos]`: the finish reason of an OpenAI-format answer. */
export const requestedFinish = (text: string): string | undefined => /\[finish:([a-z_]{1,40})\]/.exec(text)?.[1];
