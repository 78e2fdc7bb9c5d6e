import { inflateRawSync } from 'node:zlib';

const entrySignature = Buffer.from('PK\u0001\u0002');
const endSignature = Buffer.from('PK\u0005\u0006');

/** The content of one compressed file in a zip archive smaller than 4 GiB. */
export function unzip(archive: Buffer, wanted: string): Buffer {
  let entry = archive.readUInt32LE(archive.lastIndexOf(endSignature) + 16);
  while (archive.subarray(entry, entry + 4).equals(entrySignature)) {
    const nameEnd = entry + 46 + archive.readUInt16LE(entry + 28);
    const name = archive.toString('utf8', entry + 46, nameEnd);
    if (name === wanted) return contentOf(archive, archive.readUInt32LE(entry + 42), archive.readUInt32LE(entry + 20));
    // The name is followed by an extra field and a comment.
    entry = nameEnd + archive.readUInt16LE(entry + 30) + archive.readUInt16LE(entry + 32);
  }
  throw new Error(`The archive has no file ${wanted}.`);
}

function contentOf(archive: Buffer, header: number, length: number): Buffer {
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  return inflateRawSync(archive.subarray(start, start + length));
}
