interface InterimFilter {
  /** Call when a request is being written: the next bytes are the beginning of its answer. */
  requestWritten(): void;
  /** Whether a request was written and no byte has been read since. */
  isWaiting(): boolean;
  /** Returns the bytes that belong to the final answer; `null` if there are none yet. */
  filter(bytes: Buffer): Buffer | null;
}

const start = Buffer.from('HTTP/1.1 1');
/** The last two digits of `101 Switching Protocols`, which is final. */
const switching = Buffer.from('01');
const end = '\r\n\r\n';
/** Up to its status code an interim answer looks like any other. */
const statusBytes = start.length + switching.length;
/** Longer heads are left to the parser, which has its own limits. */
const mostHeldBytes = 16 * 1024;

/** Removes interim answers, which HTTP allows before the final one: `100 Continue`, `103 Early Hints` and others. */
export function interimFilter(): InterimFilter {
  let isBeginning = false;
  let isWaiting = false;
  let held: Buffer | undefined;

  function beginningOf(bytes: Buffer): Buffer | null {
    let rest = bytes;
    while (mayBeInterim(rest)) {
      const at = rest.indexOf(end);
      if (at < 0 && rest.length <= mostHeldBytes) {
        held = rest;
        return null;
      }
      if (at < 0) break;
      rest = rest.subarray(at + end.length);
    }
    if (rest.length === 0) return null;
    isBeginning = false;
    return rest;
  }

  return {
    requestWritten() {
      if (!isBeginning) isWaiting = true;
      isBeginning = true;
    },
    isWaiting: () => isWaiting,
    filter(bytes) {
      isWaiting = false;
      if (!isBeginning) return bytes;
      const known = held === undefined ? bytes : Buffer.concat([held, bytes]);
      held = undefined;
      return beginningOf(known);
    },
  };
}

function mayBeInterim(bytes: Buffer): boolean {
  const known = Math.min(bytes.length, start.length);
  if (known === 0 || start.compare(bytes, 0, known, 0, known) !== 0) return false;
  return bytes.length < statusBytes || switching.compare(bytes, start.length, statusBytes) !== 0;
}
