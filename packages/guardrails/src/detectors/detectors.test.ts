import type { DetectorName } from '@tallyport/contracts';
import { makeKey } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { detectors } from './index.ts';

const key = makeKey(() => 7);
const pem = (label: string) => `-----BEGIN ${label}-----\nProc-Type: 4,ENCRYPTED\n\nMIIB+/a=\n-----END ${label}-----`;
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

/** `«…»` is what is found. */
const found: Record<DetectorName, readonly string[]> = {
  email: [
    'Write to «ada@example.com».',
    '<«ada.l+x@mail.example.co.uk»>',
    'mailto:«a@b.io»,«c@d.org»',
    '«jürgen@müller.de»',
  ],
  phone: [
    'Call «+49 171 2345678» now',
    '«+1 (415) 555-2671»',
    '«+14155552671»',
    'tel «(415) 555-2671».',
    '«415-555-2671»',
    '«1-415-555-2671»',
    '«030 1234567»',
    '«020 7946 0958»',
  ],
  iban: ['«DE89 3704 0044 0532 0130 00»', 'to «GB82WEST12345698765432»,', '«de89370400440532013000»'],
  card: [
    '«4111 1111 1111 1111»',
    '«4111111111111111»,',
    'no. «3782-822463-10005»',
    '1 «5555 5555 5555 4444» 12',
    '«6011000990139424»',
  ],
  ip_address: [
    'host «10.0.0.1».',
    'ip:«192.168.0.255»:8080',
    '[«2001:db8::1»]:443',
    'from «::ffff:10.0.0.1»',
    'Address: «fe80::1»',
  ],
  api_key: [
    `key=«${key}»`,
    '«sk-proj-abcdefghijklmnopqrst_-»',
    '"«AKIAIOSFODNN7EXAMPLE»"',
    `«ghp_${'a'.repeat(36)}»`,
    `«SG.${'a'.repeat(22)}.${'b'.repeat(43)}»`,
  ],
  private_key: [
    `x «${pem('RSA PRIVATE KEY')}» y`,
    `«${pem('PRIVATE KEY')}»`,
    '«-----BEGIN EC PRIVATE KEY-----\\nMHcCAQEE\\n»',
  ],
  jwt: [`Bearer «${jwt}».`, `«${jwt.slice(0, jwt.lastIndexOf('.') + 1)}»`],
};

const notFound: Record<DetectorName, readonly string[]> = {
  email: ['@ada', 'ada@', 'a@b', 'a@.com', 'foo@bar.c', '@@@', 'x @ y.com'],
  phone: ['2026-11-23', '12345678901', '10:30', '3.14159265', 'x+4912', '1,234,567,890', '+12'],
  iban: ['DE89 3704 0044 0532 0130 01', 'XX89370400440532013000', 'DE89', 'ADE89370400440532013000'],
  card: [
    '4111 1111 1111 1112',
    '411111111111',
    '41111111111111111111',
    '0000000000000000',
    'x4111111111111111',
    '4111111111111111a',
  ],
  ip_address: ['256.1.1.1', '1.2.3', 'std::a', 'a::b', '12:30:45', '1.2.3.4.5', 'v1.2.3.4x', '::'],
  api_key: ['sk-short', 'task-abcdefghijklmnopqrstuvwxyz', 'AKIA', 'npm_install'],
  private_key: [
    '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
    '-----BEGIN ',
    '----BEGIN PRIVATE KEY----',
  ],
  jwt: ['eyJhbGciOiJIUzI1NiJ9', 'eyJhbGciOiJIUzI1NiJ9.abc.def', 'eyJ.eyJ.x'],
};

const names = Object.keys(found) as DetectorName[];

const marked = (name: DetectorName, text: string): string =>
  detectors[name](text).reduceRight(
    (rest, { start, end }) => `${rest.slice(0, start)}«${rest.slice(start, end)}»${rest.slice(end)}`,
    text,
  );

describe.each(names)('%s', (name) => {
  test.each(found[name])('finds %s', (text) => {
    expect(marked(name, text.replaceAll(/[«»]/g, ''))).toBe(text);
  });

  test.each(notFound[name])('finds nothing in %s', (text) => expect(detectors[name](text)).toEqual([]));
});

test('the length of a card is from 13 to 19 digits', () => {
  const ofLength = { 12: '411111111111', 13: '4222222222222', 19: '4000000000000000006', 20: '40000000000000000002' };
  const lengths = Object.entries(ofLength).filter(([, number]) => detectors.card(number).length > 0);
  expect(lengths.map(([length]) => length)).toEqual(['13', '19']);
});
