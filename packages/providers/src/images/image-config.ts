import { GatewayError } from '@tallyport/contracts';
import type { ImageConfig } from '../spec/image-provider.ts';

type Member = keyof ImageConfig;

const wholeNumber = (value: unknown): boolean => Number.isSafeInteger(value);
const isText = (value: unknown): boolean => typeof value === 'string';

const members: Readonly<Record<Member, { fits(value: unknown): boolean; kind: string }>> = {
  aspect_ratio: { fits: isText, kind: 'a string such as "16:9"' },
  image_size: { fits: isText, kind: 'a string such as "2K" or "1024x1024"' },
  n: { fits: wholeNumber, kind: 'a whole number' },
  seed: { fits: wholeNumber, kind: 'a whole number' },
};

/** Reads `image_config` from a request, without null members. Values are validated later, against the model. */
export function readImageConfig(value: Readonly<Record<string, unknown>>): ImageConfig {
  const entries = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  for (const [name, each] of entries) {
    if (!isMember(name)) throw wrong(name, `is not supported; use ${Object.keys(members).join(', ')}`);
    if (!members[name].fits(each)) throw wrong(name, `must be ${members[name].kind}`);
  }
  return Object.fromEntries(entries);
}

const isMember = (name: string): name is Member => Object.hasOwn(members, name);

const wrong = (member: string, why: string): GatewayError =>
  new GatewayError('invalid_parameters', `image_config.${member}: ${why}.`, { param: `image_config.${member}` });
