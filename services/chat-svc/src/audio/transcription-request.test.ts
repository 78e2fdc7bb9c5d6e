import { expect, test } from 'vitest';
import { asTranscriptionRequest } from './transcription-request.ts';

/** The `MultipartFormDataContent` of .NET writes no quotes around names. */
const fromDotNet = [
  ["name=file; filename=audio.mp3; filename*=utf-8''audio.mp3\r\nContent-Type: audio/mpeg", 'ID3'],
  ['name=model\r\nContent-Type: text/plain; charset=utf-8', 'whisper-1'],
  ['name=temperature\r\nContent-Type: text/plain; charset=utf-8', '0.5'],
].map(([head, value]) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`);

test.each(['transcribe', 'translate'] as const)('reads a form of .NET to %s', (task) => {
  const form = Buffer.from(`${fromDotNet.join('')}--b--\r\n`);
  const { model, call } = asTranscriptionRequest(task, form, {
    headers: { 'content-type': 'multipart/form-data; boundary="b"' },
  });
  expect([model, call.file.fileName, call.fields.map(({ name }) => name)]).toEqual([
    'whisper-1',
    'audio.mp3',
    ['temperature'],
  ]);
});
