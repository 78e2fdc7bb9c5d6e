import { isUtf8 } from 'node:buffer';
import { joinPieces, totalBytes } from '../pieces.ts';
import { type ChunkList, chunkList } from './chunk-list.ts';
import { type LongStrings, noLongStrings } from './long-strings.ts';
import { type KeepOptions, type Nonce, type ParsedDocument, restOf, stringsAt, textWithPlaceholders } from './parse.ts';
import { withLongStrings } from './restore.ts';
import { type ScanLimits, scanJson } from './scan.ts';
import { mostLevels, structureProblem, tooDeep } from './structure.ts';

/** The reason for refusing a body, with the error code of the API. */
interface JsonProblem {
  code: 'invalid_json' | 'invalid_parameters' | 'request_too_large';
  message: string;
}

/** JSON.parse, or a function that reads the same texts. */
type ParseJson = (text: string) => unknown;

interface ParseOptions extends KeepOptions {
  parse: ParseJson;
}

type JsonReading<Read> = ({ ok: true } & Read) | { ok: false; problem: JsonProblem };

/**
 * Limits of one body regardless of its size in bytes, because every value costs microseconds wherever it is read.
 * Conversations with hundreds of tools have about ten thousand values; the longest prompts that models accept have
 * eight million bytes.
 */
const limits: ScanLimits = { values: 100_000, levels: mostLevels, restBytes: 12 * 1024 * 1024 };
/** A body up to this size cannot exceed the number of values. */
const unscannedBytes = limits.values;
/** Longer strings are copied instead of parsed if they are plain text, for example images in base64. */
const longStringBytes = 16 * 1024;

/** Reads the JSON of a request. Checks limits before parsing, so that no body blocks the process for long. */
export function parseJsonBody(
  pieces: readonly Buffer[],
  nonce: Nonce,
  parse: ParseJson = JSON.parse,
): JsonReading<{ value: unknown }> {
  if (totalBytes(pieces) <= unscannedBytes) return parsedRest([joinPieces(pieces)], noLongStrings, parse);
  const read = parsedWithin(chunkList(pieces), { threshold: longStringBytes, nonce, parse });
  return read.ok ? { ok: true, value: withLongStrings(read) } : read;
}

/** The same, but keeps long strings as bytes. */
export function parseJsonBodyKeeping(pieces: readonly Buffer[], options: KeepOptions): JsonReading<ParsedDocument> {
  return parsedWithin(chunkList(pieces), { ...options, parse: JSON.parse });
}

function parsedWithin(json: ChunkList, { threshold, nonce, parse }: ParseOptions): JsonReading<ParsedDocument> {
  const { longStrings: ranges, exceeded } = scanJson(json, threshold, limits);
  if (exceeded !== undefined) return refusedAt(exceeded);
  return parsedRest(restOf(json, ranges), stringsAt(ranges, { json, nonce }), parse);
}

function parsedRest(rest: readonly Buffer[], strings: LongStrings, parse: ParseJson): JsonReading<ParsedDocument> {
  if (!rest.every((part) => isUtf8(part))) return notJson('its bytes are not UTF-8');
  const value = parsed(textWithPlaceholders(rest, strings), parse);
  if ('why' in value) return notJson(value.why);
  const problem = structureProblem(value.value);
  if (problem !== undefined) return refused('invalid_parameters', `the body: ${problem}`);
  return { ok: true, value: value.value, strings };
}

function parsed(text: string, parse: ParseJson): { value: unknown } | { why: string } {
  try {
    return { value: parse(text) };
  } catch (cause) {
    if (text.trim() === '') return { why: 'it is empty' };
    return { why: cause instanceof Error ? cause.message.slice(0, 200) : 'unreadable' };
  }
}

const notJson = (why: string): JsonReading<never> => refused('invalid_json', `The body must be JSON, but ${why}.`);

function refusedAt(exceeded: keyof ScanLimits): JsonReading<never> {
  switch (exceeded) {
    case 'values':
      return tooLarge(`${limits.values} JSON values and names`);
    case 'levels':
      return refused('invalid_parameters', `the body: ${tooDeep}`);
    case 'restBytes':
      return tooLarge(`${limits.restBytes} bytes of JSON besides long strings of plain ASCII such as images in base64`);
    default:
      return exceeded satisfies never;
  }
}

const tooLarge = (most: string): JsonReading<never> =>
  refused('request_too_large', `The body has more than ${most}. Send less in one request.`);

const refused = (code: JsonProblem['code'], message: string): JsonReading<never> => ({
  ok: false,
  problem: { code, message },
});
