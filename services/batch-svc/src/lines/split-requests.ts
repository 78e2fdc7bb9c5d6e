import { GatewayError } from '@tallyport/contracts';
import { withoutLineEnds } from './line-ends.ts';

interface RequestBounds {
  /** Of one request. */
  maxBytes: number;
}

const byte = (text: string): number => text.charCodeAt(0);
const [quote, backslash, comma] = [byte('"'), byte('\\'), byte(',')];
const [openBrace, closeBrace, openBracket, closeBracket] = [byte('{'), byte('}'), byte('['), byte(']')];
const spaces: ReadonlySet<number> = new Set([' ', '\t', '\n', '\r'].map(byte));
/** Around the list there is nothing but space. */
const mostAround = 1_024;
const opening = /^\s*\{\s*"requests"\s*:\s*\[/;
const closing = /^\s*\}\s*$/;

/**
 * The elements of `{"requests": [...]}` as lines of JSON without line ends, while the body arrives. Whether each of them is
 * JSON is left to the reader.
 */
export async function* splitRequests(
  pieces: AsyncIterable<Uint8Array>,
  { maxBytes }: RequestBounds,
): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  const list = createElements(maxBytes);
  for await (const piece of pieces) {
    let rest: Uint8Array = piece;
    if (head !== undefined) {
      head = Buffer.concat([head, rest]);
      const opened: number = lengthOfOpening(head);
      if (opened === 0) continue;
      rest = head.subarray(opened);
      head = undefined;
    }
    yield* list.push(rest);
  }
  if (head !== undefined || !closing.test(list.behind())) throw notThat();
}

/** 0 until the list has begun. */
function lengthOfOpening(head: Buffer): number {
  const found = opening.exec(head.toString('latin1', 0, mostAround));
  if (found === null && head.length >= mostAround) throw notThat();
  return found?.[0].length ?? 0;
}

/** Where a byte is in a value: how many objects and lists are open. */
function createDepth() {
  let depth = 0;
  let inText = false;
  let escaped = false;

  function read(each: number): void {
    if (escaped) escaped = false;
    else if (inText) {
      if (each === backslash) escaped = true;
      else if (each === quote) inText = false;
    } else if (each === quote) inText = true;
    else if (each === openBrace || each === openBracket) depth += 1;
    else if (each === closeBrace || each === closeBracket) depth -= 1;
  }
  return { read, get: () => depth };
}

/** What follows the list. */
function createRest() {
  let text: string | undefined;
  return {
    add(bytes: Uint8Array): void {
      text = (text ?? '') + Buffer.from(bytes.subarray(0, mostAround + 1)).toString('latin1');
      if (text.length > mostAround) throw notThat();
    },
    text: () => text,
  };
}

function createElements(maxBytes: number) {
  const depth = createDepth();
  const rest = createRest();
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let wanted: 'element' | 'comma' = 'element';
  let count = 0;

  function hold(bytes: Uint8Array): void {
    heldBytes += bytes.length;
    if (heldBytes > maxBytes) throw tooLong(count, maxBytes);
    // The source may use the memory of a piece again.
    if (bytes.length > 0) held.push(Uint8Array.from(bytes));
  }

  function take(): Buffer {
    const line = Buffer.concat(held);
    [held, heldBytes, wanted, count] = [[], 0, 'comma', count + 1];
    return withoutLineEnds(line);
  }

  /** Between elements. Returns whether the list has ended. */
  function between(each: number): boolean {
    if (spaces.has(each)) return false;
    if (each === closeBracket && (wanted === 'comma' || count === 0)) return true;
    if (each === comma && wanted === 'comma') wanted = 'element';
    else if (each === openBrace && wanted === 'element') depth.read(each);
    else throw notThat();
    return false;
  }

  function* push(piece: Uint8Array): Generator<Buffer> {
    if (rest.text() !== undefined) return rest.add(piece);
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const each = piece[at] ?? 0;
      if (depth.get() === 0) {
        from = at;
        if (between(each)) return rest.add(piece.subarray(at + 1));
        continue;
      }
      depth.read(each);
      if (depth.get() > 0) continue;
      hold(piece.subarray(from, at + 1));
      yield take();
    }
    if (depth.get() > 0) hold(piece.subarray(from));
  }

  return { push, behind: () => rest.text() ?? 'the list has not ended' };
}

const notThat = (): GatewayError =>
  new GatewayError('invalid_json', 'The body must be JSON of the form {"requests": [{"custom_id": …, "params": …}]}.', {
    param: 'requests',
  });

const tooLong = (index: number, maxBytes: number): GatewayError =>
  new GatewayError(
    'request_too_large',
    `requests[${index}] is larger than ${maxBytes} bytes (MAX_BODY_BYTES). Send a smaller one.`,
    { param: `requests[${index}]` },
  );
