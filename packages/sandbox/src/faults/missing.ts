import { piece, type Piece } from '../answer.ts';
import { isObject, jsonOf } from '../json.ts';
import { bodyOf, isEventStream, ofReply, plain, withPieces } from './fault.ts';

/** The stream is complete but has no `[DONE]`. */
export const noDoneKind = plain(
  'no-done',
  ofReply((reply) =>
    withPieces(
      reply,
      reply.pieces.filter(({ part }) => part !== 'done'),
    ),
  ),
);

/** No usage, even if it was requested. */
export const noUsageKind = plain(
  'no-usage',
  ofReply((reply, { usageMembers }) => {
    const names = usageMembers ?? ['usage'];
    if (!reply.stream) {
      const text = bodyOf(reply).toString();
      return withPieces(reply, [piece('body', withoutMembers(text, names))]);
    }
    const pieces = reply.pieces.filter(({ part }) => part !== 'usage');
    if (usageMembers === undefined || !isEventStream(reply)) return withPieces(reply, pieces);
    return withPieces(
      reply,
      pieces.map((event) => withoutUsage(event, names)),
    );
  }),
);

function withoutUsage({ part, bytes }: Piece, names: readonly string[]): Piece {
  const change = (_: string, field: string, data: string) => field + withoutMembers(data, names);
  return piece(part, bytes.toString().replaceAll(/^(data: )(\{.*\})/gm, change));
}

/** At the top level and one level below: some events wrap a whole answer. */
function withoutMembers(text: string, names: readonly string[]): string {
  const body = jsonOf(text);
  if (!isObject(body)) return text;
  const strip = (members: object) => Object.entries(members).filter(([name]) => !names.includes(name));
  const inner = strip(body).map(([name, value]) => [name, isObject(value) ? Object.fromEntries(strip(value)) : value]);
  return JSON.stringify(Object.fromEntries(inner));
}
