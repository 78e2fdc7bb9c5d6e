import { piece, type Piece, type Reply } from '../answer.ts';
import { ofReply, plain } from './fault.ts';

/** Never ends: a stream repeats its text, and the string in a JSON answer is never closed. */
export const endlessKind = plain(
  'endless',
  ofReply((reply) => (reply.stream ? roundAndRound(reply) : openString(reply))),
);

function roundAndRound(reply: Reply): Reply {
  const isEnd = ({ part }: Piece) => part === 'finish' || part === 'usage' || part === 'done';
  const pieces = reply.pieces.filter((event) => !isEnd(event));
  const deltas = pieces.filter(({ part }) => part === 'delta');
  return { ...reply, pieces, loop: deltas.length > 0 ? deltas : pieces };
}

const openString = (reply: Reply): Reply => ({
  ...reply,
  pieces: [piece('body', '{"id":"chatcmpl-simendless","object":"chat.completion","choices":[{"message":{"content":"')],
  loop: [piece('body', 'and on and on '.repeat(64))],
});
