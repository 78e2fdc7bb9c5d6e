import { type Piece, piece } from '../answer.ts';
import { isObject, jsonOf } from '../json.ts';
import { bodyOf, isEventStream, ofReply, plain, withPieces } from './fault.ts';

/** Every count of the usage is far more than any model can use. Streams in other formats than text are unchanged. */
export const wrongUsageKind = plain(
  'wrong-usage',
  ofReply((reply, { usageMembers: names = ['usage'] }) => {
    if (!reply.stream) return withPieces(reply, [piece('body', withWrongUsage(bodyOf(reply).toString(), names))]);
    if (!isEventStream(reply)) return reply;
    const change = (_: string, field: string, data: string) => field + withWrongUsage(data, names);
    const changed = ({ part, bytes }: Piece) => piece(part, bytes.toString().replaceAll(/^(data: )(\{.*\})/gm, change));
    return withPieces(reply, reply.pieces.map(changed));
  }),
);

const wrongCount = 1e15;

/** At the top level and one level below: some events wrap a whole answer. */
function withWrongUsage(text: string, names: readonly string[]): string {
  const body = jsonOf(text);
  if (!isObject(body)) return text;
  const changed = (members: object) =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, names.includes(name) ? overstated(value) : value]),
    );
  const inner = Object.entries(body).map(([name, value]) => [
    name,
    isObject(value) && !names.includes(name) ? changed(value) : value,
  ]);
  return JSON.stringify(changed(Object.fromEntries(inner)));
}

function overstated(value: unknown): unknown {
  if (typeof value === 'number') return wrongCount;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, overstated(inner)]));
}
