import type { OpenedResponse } from './opened-response.ts';

/** The answer of a call that was made elsewhere. */
export function answerOf(body: Buffer): OpenedResponse {
  let pieces = [body];
  return {
    call: { abort: () => undefined, discardRest: () => undefined },
    head: { status: 200, headers: {} },
    body: {
      ready: async () => pieces.length > 0,
      take() {
        const taken = pieces;
        pieces = [];
        return taken;
      },
    },
  };
}
