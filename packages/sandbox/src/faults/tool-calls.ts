import type { Piece } from '../answer.ts';
import { changePieces, FaultSyntaxError, ofReply, type FaultKind } from './fault.ts';

type Change = (pieces: readonly Piece[]) => readonly Piece[];

/** Errors that some OpenAI-format upstreams make in tool calls. */
const spellings: Readonly<Record<string, Change>> = {
  'missing-id': (pieces) => pieces.map((piece) => edited(piece, /"id":"call_[^"]*",/g, () => '')),
  'index-from-one': (pieces) =>
    pieces.map((piece) =>
      edited(piece, /"tool_calls":\[\{"index":(\d+)/g, (_, index) => `"tool_calls":[{"index":${Number(index) + 1}`),
    ),
  whole: (pieces) => merged(pieces),
};

export const toolCallsKind: FaultKind = {
  name: 'tool-calls',
  usage: `tool-calls:<${Object.keys(spellings).join('|')}>`,
  build: ({ value = '' }) => {
    const spelling = Object.hasOwn(spellings, value) ? spellings[value] : undefined;
    if (spelling === undefined) throw new FaultSyntaxError(`Fault 'tool-calls' must be ${toolCallsKind.usage}.`);
    return ofReply((reply) => changePieces(reply, spelling));
  },
};

function edited({ part, bytes }: Piece, pattern: RegExp, replacement: (all: string, group: string) => string): Piece {
  return { part, bytes: Buffer.from(bytes.toString().replace(pattern, replacement)) };
}

const argumentsOf =
  /"choices":\[\{"index":(\d+).*"tool_calls":\[\{"index":(\d+),("id")?.*"arguments":"((?:[^"\\]|\\.)*)"/;

/** Sends each call in one delta: the arguments of later deltas are moved into the first one. */
function merged(pieces: readonly Piece[]): Piece[] {
  const collected = new Map<string, string>();
  const rest = pieces.filter(({ bytes }) => {
    const [, choice, call, opens, text = ''] = argumentsOf.exec(bytes.toString()) ?? [];
    if (choice === undefined || opens !== undefined) return true;
    collected.set(`${choice}/${call}`, (collected.get(`${choice}/${call}`) ?? '') + text);
    return false;
  });
  return rest.map((piece) => {
    const [, choice, call] = argumentsOf.exec(piece.bytes.toString()) ?? [];
    const text = collected.get(`${choice}/${call}`) ?? '';
    return edited(piece, /"arguments":""/g, () => `"arguments":"${text}"`);
  });
}
