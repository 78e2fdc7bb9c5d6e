import { expect, test } from 'vitest';
import { filePlacesIn } from './file-places.ts';
import { type FileContent, inlineLength, partWithContent } from './part-with-content.ts';

const id = `file-${'0a'.repeat(16)}`;
const fileOf = (filename: string, mediaType: string, content: string | Buffer): FileContent => ({
  filename,
  mediaType,
  bytes: Buffer.from(content),
});
const pdf = fileOf('a.pdf', 'application/pdf', '%PDF');
const png = fileOf('a.png', 'image/png', 'png');
const notes = fileOf('notes.md', 'text/markdown', '# "Notes"\n\u0001\\é');
const pdfUrl = 'data:application/pdf;base64,JVBERg==';
const source = { type: 'file', file_id: id };

function inlined(part: object, file: FileContent) {
  const [place] = filePlacesIn({ input: [part] });
  if (place === undefined) throw new Error('The part names no file.');
  const made = partWithContent(place, file);
  const length = Buffer.byteLength(JSON.stringify(made));
  // What is counted is at least what is added, and little more.
  expect(inlineLength(place, file)).toBeGreaterThanOrEqual(length - 200);
  expect(inlineLength(place, file)).toBeLessThanOrEqual(length);
  return made;
}

test.each<[string, object, FileContent, object]>([
  [
    'a file of a chat',
    { type: 'file', file: { file_id: id } },
    pdf,
    { type: 'file', file: { filename: 'a.pdf', file_data: pdfUrl } },
  ],
  [
    'a file with a name of its own and a cache mark',
    { type: 'file', file: { file_id: id, filename: 'b.pdf' }, cache_control: { type: 'ephemeral' } },
    pdf,
    { type: 'file', file: { filename: 'b.pdf', file_data: pdfUrl }, cache_control: { type: 'ephemeral' } },
  ],
  [
    'an input file',
    { type: 'input_file', file_id: id, filename: null },
    pdf,
    { type: 'input_file', filename: 'a.pdf', file_data: pdfUrl },
  ],
  [
    'an input image',
    { type: 'input_image', file_id: id, detail: 'low' },
    png,
    { type: 'input_image', image_url: 'data:image/png;base64,cG5n', detail: 'low' },
  ],
  [
    'an image of a message',
    { type: 'image', source, cache_control: { type: 'ephemeral' } },
    png,
    {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'cG5n' },
      cache_control: { type: 'ephemeral' },
    },
  ],
  [
    'a PDF of a message',
    { type: 'document', source, title: 'A' },
    pdf,
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' }, title: 'A' },
  ],
  [
    'a text of a message',
    { type: 'document', source },
    notes,
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '# "Notes"\n\u0001\\é' } },
  ],
  [
    "a PDF of Google's API",
    { fileData: { fileUri: id, mimeType: 'text/html' }, videoMetadata: { fps: 1 } },
    pdf,
    { inlineData: { mimeType: 'application/pdf', data: 'JVBERg==' }, videoMetadata: { fps: 1 } },
  ],
  [
    "a text of Google's API, in its other spelling",
    { file_data: { file_uri: id } },
    notes,
    { inlineData: { mimeType: 'text/markdown', data: 'IyAiTm90ZXMiCgFcw6k=' } },
  ],
  [
    'an image of an interaction',
    { type: 'image', uri: id, mime_type: 'image/jpeg' },
    png,
    { type: 'image', mime_type: 'image/png', data: 'cG5n' },
  ],
  [
    'a text of an interaction',
    { type: 'document', uri: id },
    notes,
    { type: 'document', mime_type: 'text/markdown', data: 'IyAiTm90ZXMiCgFcw6k=' },
  ],
])('%s gets its content', (_what, part, file, expected) => {
  expect(inlined(part, file)).toEqual(expected);
});

test.each<[string, object, FileContent, string]>([
  [
    'an input image',
    { type: 'input_image', file_id: id },
    pdf,
    'input[0].file_id: the file is application/pdf, not an image.',
  ],
  ['audio', { type: 'audio', uri: id }, pdf, 'input[0].uri: the file is application/pdf, not audio.'],
  ['an image', { type: 'image', source }, notes, 'input[0].source.file_id: the file is text/markdown, not an image.'],
  [
    'a text',
    { type: 'document', source },
    fileOf('a.txt', 'text/plain', Buffer.from([0x61, 0xff])),
    'input[0].source.file_id: the text of the file is not UTF-8.',
  ],
])('%s that the file is not is refused', (_what, part, file, message) => {
  expect(() => inlined(part, file)).toThrow(expect.objectContaining({ code: 'invalid_parameters', message }));
});
