import { GatewayError } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { contextOf, translate } from '../testing/translate.ts';
import { openAiCompatible } from './chat.ts';

const vendor = openAiCompatible({
  id: 'vendor',
  baseUrl: 'https://vendor.example',
  keyVariable: 'VENDOR',
  quirks: {
    errors: { '1113': 'money', engine_overloaded_error: 'overload' },
    hiddenError: (body) => (body.failed === true ? { message: 'hidden', code: 1113 } : undefined),
  },
});

describe('error shapes', () => {
  test.each<[string, unknown, string]>([
    ['an object', { error: { message: 'No.' } }, 'No.'],
    ['a text', { error: 'No.' }, 'No.'],
    ['a text beside a code', { code: 'bad', error: 'No.' }, 'No.'],
    ['top level', { object: 'error', message: 'No.', code: 400 }, 'No.'],
    [
      'a validation list inside the message',
      { message: { detail: [{ loc: ['body', 'x'], msg: 'Extra' }] } },
      'body.x: Extra',
    ],
    ['a validation list', { detail: [{ loc: ['body', 'messages', 0], msg: 'Missing' }] }, 'body.messages.0: Missing'],
    ['a detail text', { detail: 'No.' }, 'No.'],
    ['a fault string', { fault: { faultstring: 'No.' } }, 'No.'],
    ['plain text', ' No. ', 'No.'],
    ['HTML', '<!doctype html><p>No.</p>', 'a page instead of an answer'],
    ['nothing', undefined, 'no reason was given'],
  ])('%s', (_name, body, message) => {
    expect(vendor.error(400, {}, body).message).toBe(message);
  });

  test('keeps the param of a client fault', () => {
    const body = { error: { message: 'No.', param: 'messages[0]', code: 'unsupported_parameter' } };
    expect(vendor.error(400, {}, body)).toMatchObject({ code: 'unsupported_parameter', param: 'messages[0]' });
  });

  test('cuts a long message', () => {
    expect(vendor.error(400, {}, 'word '.repeat(1_000)).message).toHaveLength(1_000);
  });

  test('hides the message of an authentication error from clients', () => {
    const error = vendor.error(401, {}, { error: { message: 'Org acme is suspended' } });
    expect(error.message).toBe('vendor refused our credentials or has no credit left.');
    expect(error.detail).toBe('vendor 401 -: Org acme is suspended');
  });

  test('prefers the vendor’s code to the status', () => {
    expect(vendor.error(429, {}, { error: { code: '1113', message: 'x' } }).code).toBe('upstream_auth');
    expect(vendor.error(429, {}, { error: { code: 'engine_overloaded_error' } }).code).toBe('upstream_error');
  });
});

const delta = { choices: [{ index: 0, delta: { content: 'x' }, finish_reason: null }] };
const ends = (reason: string) => ({ choices: [{ index: 0, delta: {}, message: {}, finish_reason: reason }] });

describe.each<[string, unknown, string]>([
  ['an object', { error: { message: 'No.' } }, 'upstream_error'],
  ['a text', { error: 'No.' }, 'upstream_error'],
  ['top level', { object: 'error', message: 'No.', type: 'BadRequestError', code: 400 }, 'invalid_parameters'],
  ['top level without object', { message: 'No.', code: 503 }, 'upstream_error'],
  ['a numeric code', { error: { message: 'No.', code: 402 } }, 'upstream_auth'],
  ['a named code', { error: { message: 'No.', code: 'rate_limit_exceeded' } }, 'upstream_error'],
  ['a client fault', { error: { message: 'No.', type: 'invalid_request_error' } }, 'invalid_parameters'],
  ['a policy refusal', { error: { message: 'No.', code: 'content_filter' } }, 'content_policy_violation'],
  ['a hidden error', { failed: true, choices: [] }, 'upstream_auth'],
  ['a bad finish reason', ends('error'), 'upstream_error'],
])('%s with status 200', (_name, body, code) => {
  test('instead of an answer', () => {
    expect(() => vendor.response(body, contextOf(vendor))).toThrow(expect.objectContaining({ code }));
  });

  test('in the middle of a stream', () => {
    const bytes = Buffer.from(`data: ${JSON.stringify(delta)}\n\ndata: ${JSON.stringify(body)}\n\n`);
    expect(() => translate(vendor, [bytes])).toThrow(expect.objectContaining({ code }));
  });
});

describe('error events', () => {
  test.each(['{"message":"No."}', '{"error":{"message":"No."}}', 'No.'])('%s', (data) => {
    expect(() => translate(vendor, [Buffer.from(`event: error\ndata: ${data}\n\n`)])).toThrow(
      expect.objectContaining({ code: 'upstream_error', message: expect.stringContaining('No.') }),
    );
  });

  test('reads an error inside a choice', () => {
    const chunk = { choices: [{ index: 0, delta: {}, error: { code: 502, message: 'No.' } }] };
    expect(() => translate(vendor, [Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`)])).toThrow(GatewayError);
  });

  test('ignores error: null', () => {
    const chunk = { ...delta, error: null };
    expect(() =>
      vendor
        .stream(contextOf(vendor))
        .frame({ event: undefined, id: undefined, data: Buffer.from(JSON.stringify(chunk)) }),
    ).not.toThrow();
  });
});
