import { pixelsConfig } from '@tallyport/pixels';
import {
  accountLimitsConfig,
  type ConfigOf,
  defineConfig,
  flag,
  milliseconds,
  wholeNumber,
} from '@tallyport/service-kit';
import { servingConfig } from '@tallyport/serving';

export const chatConfig = defineConfig({
  ...servingConfig,
  ...pixelsConfig,
  ...accountLimitsConfig,
  CHAT_MAX_CONCURRENT: {
    schema: wholeNumber(1, 1_000_000),
    default: '10000',
    description: 'How many chats one process handles at once. Further ones go to another replica or get 529.',
  },
  CHAT_MAX_INFLIGHT_BYTES: {
    schema: wholeNumber(1024 ** 2),
    default: '536870912',
    description:
      'Memory limit of one chat-svc process for requests and the images fetched for them; each byte counts three times, because copies are sent to providers. Beyond it requests get 529 before anything is paid.',
  },
  CHAT_MAX_INFLIGHT_ANSWER_BYTES: {
    schema: wholeNumber(1024 ** 2),
    default: '268435456',
    description:
      'Memory limit of one chat-svc process for whole answers while they are read and sent. Beyond it further ones are read later, the oldest first, and fail with 503 after a minute.',
  },
  CHAT_MAX_ATTEMPTS: {
    schema: wholeNumber(1, 10),
    default: '3',
    description: 'How many providers are tried for one chat before it fails.',
  },
  CHAT_STRICT: {
    schema: flag,
    default: 'false',
    description:
      'Whether chats of every API are refused that no offer gets as they are: with unknown members, members that would be left out, or another effort. Otherwise the warning header and the page of the request name what was changed.',
  },
  CHAT_KEEP_ALIVE_MS: {
    schema: milliseconds,
    default: '15000',
    description: 'How long a stream may be silent before a comment is sent, which makes proxies keep it open.',
  },
  CHAT_HEAD_AFTER_MS: {
    schema: milliseconds,
    default: '10000',
    description: 'How long to wait for the first content of a stream before its head is sent anyway.',
  },
  RESPONSES_DAYS: {
    schema: wholeNumber(0, 366),
    default: '7',
    description:
      'How many days responses of /v1/responses and interactions of /v1beta/interactions are stored, unless a request sets store to false, and conversations after their last change. 0 stores none; continuing one, and conversation, are refused then.',
  },
  RESPONSES_MAX_BYTES: {
    schema: wholeNumber(1024, 64 * 1024 ** 2),
    default: '4194304',
    description:
      'Size limit of a stored response or interaction together with the input of its request, and of a conversation. A larger response or interaction is sent and not stored; a larger conversation gets no more items.',
  },
  RESPONSES_ACCOUNT_MAX_BYTES: {
    schema: wholeNumber(1024, 2 ** 40),
    default: '67108864',
    description:
      'Size limit of all stored responses, interactions and conversations of one account. Beyond it, none are stored until older ones expire or are deleted.',
  },
  RESPONSES_BACKGROUND_OPEN: {
    schema: wholeNumber(0, 10_000),
    default: '100',
    description:
      'How many background responses of one account may wait or run at once. Further ones get 429; 0 refuses all.',
  },
});

export type ChatConfig = ConfigOf<typeof chatConfig>;
