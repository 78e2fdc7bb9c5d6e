/** The part of a body that a piece belongs to, so that faults can find their place in it. */
export type PieceKind = 'body' | 'open' | 'delta' | 'finish' | 'usage' | 'done' | 'comment' | 'error';

export interface Piece {
  readonly part: PieceKind;
  readonly bytes: Buffer;
}

/**
 * `burst`: as fast as the socket accepts · `turns`: each piece is a separate write · `timed`: one piece per interval.
 */
export type StreamPace =
  | { readonly kind: 'burst' }
  | { readonly kind: 'turns' }
  | { readonly kind: 'timed'; readonly everyMs: number };

export interface Reply {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** True if the pieces are server-sent events. */
  readonly stream: boolean;
  readonly pieces: readonly Piece[];
  /** Sent repeatedly after `pieces`, until the client disconnects. */
  readonly loop?: readonly Piece[];
  readonly pace: StreamPace;
  /** Milliseconds before anything is sent, head included. */
  readonly delayMs: number;
  /** `cut`: the socket closes after the last piece, as if the process had died. */
  readonly ending: 'end' | 'cut';
}

/** An answer is plain data; faults are functions from one answer to another. */
export type ProviderAnswer = Reply | { readonly kind: 'hang' } | { readonly kind: 'reset' };

export const piece = (part: PieceKind, text: string): Piece => ({ part, bytes: Buffer.from(text) });

export const dataEvent = (part: PieceKind, data: unknown): Piece => piece(part, `data: ${JSON.stringify(data)}\n\n`);

export function jsonReply(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return {
    kind: 'reply',
    status,
    headers: { 'content-type': 'application/json', ...headers },
    stream: false,
    pieces: [piece('body', JSON.stringify(body))],
    pace: { kind: 'burst' },
    delayMs: 0,
    ending: 'end',
  };
}

export const bytesReply = (bytes: Buffer, headers: Record<string, string>): Reply => ({
  ...jsonReply(200, null, headers),
  pieces: [{ part: 'body', bytes }],
});

export function streamReply(pieces: readonly Piece[], pace: StreamPace): Reply {
  return {
    kind: 'reply',
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    stream: true,
    pieces,
    pace,
    delayMs: 0,
    ending: 'end',
  };
}
