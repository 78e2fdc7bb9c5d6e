import { GatewayError, responsesErrors } from '@tallyport/contracts';
import { editMembers } from '@tallyport/wire';
import type { DialectCall, DialectRequest } from '../dialect.ts';
import { outlineOf } from '../passed-request.ts';
import { isPlainObject } from '../plain-object.ts';
import { refuseMember, refuseUnsupportedMember } from '../refuse-member.ts';
import type { EarlierItems } from './expanded-input.ts';
import { responsesMemberNames } from './member-names.ts';
import { tierOfResponses, passedResponses } from './native.ts';
import { refuseUntranslatable } from './refused-members.ts';

const nothingEarlier: EarlierItems = { earlier: [], referenced: new Map() };

/**
 * `POST /v1/responses/compact`. What it returns in place of a conversation is sealed by its vendor, so that a request can
 * only be passed on.
 */
export const openAiCompact = {
  name: 'openai-compact',
  read({ body, bytes }: DialectRequest, items: EarlierItems = nothingEarlier): DialectCall {
    const passed = passedResponses({ ...withInput({ body, bytes }), items });
    if (passed === undefined) return refuse(body);
    const { model, members } = passed;
    const { instructions, input } = members;
    return {
      chat: outlineOf({
        model,
        stream: false,
        limit: undefined,
        prompt: [instructions, input],
        tier: tierOfResponses(members),
      }),
      native: { ...passed, dialect: 'openai-compact', isUntranslatable: true },
      untranslatable: onlyNative(model),
      answer: () => neverTranslated(model),
      stream: () => neverTranslated(model),
    };
  },
  errors: responsesErrors,
  memberNames: responsesMemberNames,
};

/** A request may have only `previous_response_id`, whose items become the input. */
function withInput({ body, bytes }: Pick<DialectRequest, 'body' | 'bytes'>) {
  if (!isPlainObject(body) || body.input != null) return { body, bytes };
  return {
    body: { ...body, input: [] },
    bytes: editMembers(bytes, { removed: new Set(['input']), added: { input: '[]' } }),
  };
}

function refuse(body: unknown): never {
  if (!isPlainObject(body) || typeof body.model !== 'string' || body.model === '') {
    return refuseMember('model', 'must be the name of a model');
  }
  refuseUntranslatable(body);
  return refuseUnsupportedMember(
    'input',
    'must have no ids of what is stored at the vendor, and no reasoning without its text',
  );
}

const onlyNative = (model: string): GatewayError =>
  new GatewayError(
    'unsupported_capability',
    `'${model.slice(0, 100)}' does not compact conversations: only OpenAI's own models do, at OpenAI. Shorten the conversation in the client.`,
    { param: 'model' },
  );

function neverTranslated(model: string): never {
  throw onlyNative(model);
}
