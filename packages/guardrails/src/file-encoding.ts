import { isUtf8 } from 'node:buffer';

/** How a text is written as bytes. */
interface Encoding {
  read(bytes: Buffer): string;
  write(text: string): Buffer;
}

const utf8: Encoding = {
  read: (bytes) => bytes.toString(),
  write: (text) => Buffer.from(text),
};

const utf16le: Encoding = {
  read: (bytes) => bytes.toString('utf16le'),
  write: (text) => Buffer.from(text, 'utf16le'),
};

const utf16be: Encoding = {
  read: (bytes) => Buffer.from(evenly(bytes)).swap16().toString('utf16le'),
  write: (text) => Buffer.from(text, 'utf16le').swap16(),
};

/** One character for each byte, so that no byte changes: another encoding has the letters of ASCII at the same places. */
const singleBytes: Encoding = {
  read: (bytes) => bytes.toString('latin1'),
  write: (text) => Buffer.from(text, 'latin1'),
};

/** `undefined` if the bytes are no text, as those of an archive. */
export function encodingOf(bytes: Buffer, kind: 'text' | 'unknown'): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return withMark(utf16le);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return withMark(utf16be);
  if (isUtf8(bytes)) return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? withMark(utf8) : utf8;
  return kind === 'text' ? singleBytes : undefined;
}

/** The mark of the order of bytes is no character of the text. */
const withMark = ({ read, write }: Encoding): Encoding => ({
  read: (bytes) => read(bytes).slice(1),
  write: (text) => write(`\ufeff${text}`),
});

const evenly = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length - (bytes.length % 2));
