import type { SpeechCall, SpeechEnding, SpeechFormat } from '@tallyport/providers';
import type { CallAttempt } from '../calls/open-calls.ts';
import { isEvents, openAudio } from './open-audio.ts';
import { type PassedBytes, PassedStream } from './passed-stream.ts';

/** Reads up to the first bytes of audio, which commit the attempt. */
export async function attemptSpeech(
  attempt: CallAttempt<SpeechCall, SpeechFormat>,
): Promise<PassedBytes<SpeechEnding>> {
  const { format, wanted, offer } = attempt;
  const asEvents = wanted.stream_format === 'sse';
  const opened = await openAudio(attempt, () => format.request(wanted, offer), asEvents ? isEvents : mayBeFile);
  const stream = new PassedStream(attempt, opened, asEvents ? format.ending : undefined);
  await stream.commit();
  return stream;
}

/** Files have many labels, so only those that cannot be one are refused. */
const mayBeFile = (type: string): boolean => !/^(text|application\/json)\b/i.test(type);
