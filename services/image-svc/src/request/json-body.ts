import { isAscii, isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { ByteStream } from '@switchyard/bus';
import { invalidJson } from '@switchyard/serving';
import { type ParsedDocument, parseKeepingLongStrings } from '@switchyard/wire';
import { isJsonObject } from './is-json-object.ts';
import { invalidMember } from './members.ts';
import { type UploadBounds, readBodyPieces } from './body-pieces.ts';

/** Longer ones are images, which stay the bytes that came. */
const longStringBytes = 16 * 1024;

export interface JsonBody extends Pick<ParsedDocument, 'strings'> {
  members: Readonly<Record<string, unknown>>;
}

/** A JSON object, with long texts left as they came. Throws `invalid_json` or `invalid_parameters`. */
export async function readJsonBody(body: ByteStream, bounds: UploadBounds): Promise<JsonBody> {
  const pieces = await readBodyPieces(body, bounds);
  if (!areUtf8(pieces)) throw invalidJson('its bytes are not UTF-8');
  if (pieces.length === 0) throw invalidJson('it is empty');
  const { value, strings } = parsed(pieces);
  if (!isJsonObject(value)) throw invalidMember('', 'must be a JSON object');
  return { members: value, strings };
}

function parsed(pieces: readonly Buffer[]): ParsedDocument {
  try {
    return parseKeepingLongStrings(pieces, { threshold: longStringBytes, nonce: randomUUID() });
  } catch (cause) {
    throw invalidJson(cause instanceof Error ? cause.message : 'unreadable', cause);
  }
}

/** Neighbours are looked at together: a character may be in two pieces. Images are ASCII, and never joined for this. */
function areUtf8(pieces: readonly Buffer[]): boolean {
  let run: Buffer[] = [];
  for (const piece of pieces) {
    if (!isAscii(piece)) run.push(piece);
    else if (run.length > 0) {
      if (!isUtf8(Buffer.concat(run))) return false;
      run = [];
    }
  }
  return isUtf8(Buffer.concat(run));
}
