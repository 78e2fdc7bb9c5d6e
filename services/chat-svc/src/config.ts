import { dispatchConfig } from '@switchyard/dispatch-kit';
import { replayConfig } from '@switchyard/replay';
import { type ConfigOf, defineConfig, flag, milliseconds, wholeNumber } from '@switchyard/service-kit';

export const chatConfig = defineConfig({
  ...dispatchConfig,
  ...replayConfig,
  CHAT_MAX_CONCURRENT: {
    schema: wholeNumber(1, 1_000_000),
    default: '10000',
    description: 'Chats one process works on at once; further ones are sent to another replica or answered 529.',
  },
  CHAT_MAX_ATTEMPTS: {
    schema: wholeNumber(1, 10),
    default: '3',
    description: 'Providers tried for one chat before it fails.',
  },
  CHAT_KEEP_ALIVE_MS: {
    schema: milliseconds,
    default: '15000',
    description: 'Silence after which a stream gets a comment, so that proxies keep it open.',
  },
  CHAT_HEAD_AFTER_MS: {
    schema: milliseconds,
    default: '10000',
    description: 'Wait for the first content of a stream after which its head is sent all the same.',
  },
  CACHE_TTL_SECONDS: {
    schema: wholeNumber(0, 31_536_000).refine(
      (seconds) => seconds === 0 || seconds >= 10,
      'must be 0 (never) or from 10 seconds to one year (31536000)',
    ),
    default: '60',
    description:
      'How long an answer is served again to the same account asking exactly the same; 0 is never. Keys and accounts can differ.',
  },
  CACHE_MAX_BYTES: {
    schema: wholeNumber(1024, 1_000_000),
    default: '1000000',
    description:
      'Answers larger than this are not kept. A stream counts as what of it is different from event to event.',
  },
  CACHE_IMAGES: {
    schema: flag,
    default: 'false',
    description: 'Keep answers of chat models that make images too, as far as they are small enough.',
  },
  CACHE_WAIT_MS: {
    schema: milliseconds,
    default: '120000',
    description: 'Longest wait of a chat for the answer to the same question that somebody is getting already.',
  },
});

export type ChatConfig = ConfigOf<typeof chatConfig>;
