import { type ConfigOf, defineConfig, milliseconds, wholeNumber } from '@switchyard/service-kit';
import { servingConfig } from '@switchyard/serving';

export const chatConfig = defineConfig({
  ...servingConfig,
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
});

export type ChatConfig = ConfigOf<typeof chatConfig>;
