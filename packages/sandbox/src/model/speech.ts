/** Samples a second of WAV and PCM. */
const sampleRate = 24_000;
const samplesPerWord = sampleRate / 10;

/** A tone for each word, as signed 16-bit samples, the lowest byte first. */
export const tonesOf = (text: string): Buffer[] => text.split(/\s+/).map((word) => toneOf(word.length));

function toneOf(letters: number): Buffer {
  const bytes = Buffer.alloc(samplesPerWord * 2);
  const step = (2 * Math.PI * (200 + 40 * letters)) / sampleRate;
  for (let at = 0; at < samplesPerWord; at += 1) bytes.writeInt16LE(Math.round(8_000 * Math.sin(at * step)), at * 2);
  return bytes;
}

/** The head of a WAV file with one channel of such samples. */
export function wavHead(bytes: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return head;
}

/** The length of an MP3 frame of 128 kbit/s at 44.1 kHz, which is 26 ms. */
const mp3FrameBytes = 417;

/** Four frames of silence for each word: a frame without data is silent. */
export const mp3Silence = (text: string): Buffer[] => text.split(/\s+/).map(() => Buffer.concat(silentFrames));

const silentFrames = Array.from({ length: 4 }, () => {
  const frame = Buffer.alloc(mp3FrameBytes);
  frame.writeUInt32BE(0xff_fb_90_00, 0);
  return frame;
});
