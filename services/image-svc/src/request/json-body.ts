import { randomUUID } from 'node:crypto';
import type { ByteStream } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { type ParsedDocument, parseJsonBodyKeeping } from '@tallyport/wire';
import { isJsonObject } from './is-json-object.ts';
import { invalidMember } from './members.ts';
import { type UploadBounds, readBodyPieces } from './body-pieces.ts';

/** Longer strings are images and stay the received bytes. */
const longStringBytes = 16 * 1024;

export interface JsonBody extends Pick<ParsedDocument, 'strings'> {
  members: Readonly<Record<string, unknown>>;
}

/**
 * Reads a JSON object; long strings stay as received. Throws `invalid_json`, `invalid_parameters` or
 * `request_too_large`.
 */
export async function readJsonBody(body: ByteStream, bounds: UploadBounds): Promise<JsonBody> {
  const pieces = await readBodyPieces(body, bounds);
  const read = parseJsonBodyKeeping(pieces, { threshold: longStringBytes, nonce: randomUUID });
  if (!read.ok) throw new GatewayError(read.problem.code, read.problem.message);
  const { value, strings } = read;
  if (!isJsonObject(value)) throw invalidMember('', 'must be a JSON object');
  return { members: value, strings };
}
