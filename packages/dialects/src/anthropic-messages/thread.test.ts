import { expect, test } from 'vitest';
import { messagesDialect } from './index.ts';
import { bodyOf, requestOf } from './testing/request.ts';

const read = (members: object, headers: Record<string, string> = {}) =>
  messagesDialect.read({ ...requestOf(bodyOf(members)), headers });
const refusalOf = (members: object): unknown => {
  try {
    return read(members).untranslatable;
  } catch (error) {
    return error;
  }
};

test('a request that creates a thread is the same message without it, in both lanes', () => {
  const headers = { 'anthropic-beta': 'context-1m-2025-08-07,message-threads-2026-08-12' };
  const { chat, native } = read({ thread: { type: 'create' } }, headers);
  expect(chat).toEqual(read({}).chat);
  expect(native).toEqual({ ...read({}).native, headers: { 'anthropic-beta': 'context-1m-2025-08-07' } });
  expect(read({ thread: { type: 'create' } }, { 'anthropic-beta': 'message-threads-2026-08-12' }).native).toEqual(
    read({}).native,
  );
  expect(read({ thread: null }).native).toEqual(read({}).native);
});

test('a request that continues a thread is refused in the words on which clients send the whole conversation', () => {
  const error = refusalOf({ thread: { type: 'continue', previous_message_id: 'msg_1' } });
  expect(error).toMatchObject({ code: 'thread_not_found', status: 404 });
  expect(messagesDialect.errors.error(error as never, 'r1')).toEqual({
    status: 404,
    body: {
      type: 'error',
      error: {
        type: 'not_found_error',
        message: 'thread: threads are not kept here. Send the whole conversation.',
        details: { error_code: 'thread_not_found' },
      },
      request_id: 'r1',
    },
  });
});

test('another thread is refused by name', () => {
  expect(refusalOf({ thread: { type: 'fork' } })).toMatchObject({
    code: 'unsupported_parameter',
    param: 'thread.type',
  });
});

test.each([
  ['fallbacks', { fallbacks: 'default' }],
  ['tools[0].type', { tools: [{ type: 'code_execution_20260521', name: 'code_execution' }] }],
  ['thinking.type', { thinking: { type: 'between_tools' } }],
])('the details of a refusal name the member that is not supported: %s', (member, members) => {
  expect(messagesDialect.errors.error(refusalOf(members) as never, 'r1').body).toMatchObject({
    error: { type: 'invalid_request_error', details: { unsupported: [member] } },
  });
});
