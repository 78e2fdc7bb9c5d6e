import type { DialectRequest } from '../dialect.ts';
import { GatewayError } from '@tallyport/contracts';
import { memberValue } from '@tallyport/wire';
import { isPublic } from '../media-parts.ts';
import { outlineOf, type PassedRequest, type ReadEither, readEither, tokenLimit } from '../passed-request.ts';
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { withCamelNames } from './proto.ts';
import { tierOfGemini, type GeminiRequest, readGenerateContent } from './request.ts';

interface Called {
  model: string;
  stream: boolean;
}

/** The request as a chat, and as it is for Google's own API. */
export const readGeminiRequest = (
  request: Pick<DialectRequest, 'body' | 'bytes'>,
  called: Called,
): ReadEither<GeminiRequest> =>
  readEither({
    passed: passedRequest(request, called.model),
    translate: () => readGenerateContent(request.body, called),
    outline: (passed) => outline(passed, called),
  });

const wrappers = ['generateContentRequest', 'generate_content_request'];

/** A request that only counts its tokens: the contents alone, or a whole request in a member. */
export function readGeminiCount(
  request: Pick<DialectRequest, 'body' | 'bytes'>,
  model: string,
): ReadEither<GeminiRequest> {
  const { body, bytes } = request;
  const wrapper = wrappers.find((name) => isPlainObject(body) && isPlainObject(body[name]));
  const wrapped = wrapper === undefined ? undefined : memberValue(bytes, wrapper);
  if (wrapper === undefined || wrapped === undefined || !isPlainObject(body)) {
    return readGeminiRequest(request, { model, stream: false });
  }
  const inner = { body: body[wrapper], bytes: wrapped };
  try {
    const { untranslatable, ...read } = readGeminiRequest(inner, { model, stream: false });
    return { ...read, ...(untranslatable && { untranslatable: inMember(wrapper, untranslatable) }) };
  } catch (thrown) {
    throw thrown instanceof GatewayError ? inMember(wrapper, thrown) : thrown;
  }
}

const inMember = (name: string, error: GatewayError): GatewayError =>
  error.param === undefined
    ? error
    : new GatewayError(error.code, `${name}.${error.message}`, { ...error, param: `${name}.${error.param}` });

function outline({ members, limit }: PassedRequest, { model, stream }: Called): GeminiRequest {
  const { contents, systemInstruction, tools, serviceTier } = camelNamed(members);
  const prompt = [systemInstruction, contents, tools];
  return {
    chat: outlineOf({ model, limit, stream, prompt, tier: tierOfGemini(serviceTier) }),
    includeThoughts: false,
  };
}

function passedRequest(
  { body, bytes }: Pick<DialectRequest, 'body' | 'bytes'>,
  model: string,
): PassedRequest | undefined {
  if (!isPlainObject(body)) return undefined;
  const request = camelNamed(body);
  if (request.cachedContent != null || (request.store != null && request.store !== false)) return undefined;
  if (listed(request.tools).some(searchesStoredFiles) || namesStoredFile(request.contents)) return undefined;
  const limit = tokenLimit(camelNamed(request.generationConfig).maxOutputTokens);
  return { dialect: 'gemini', body: bytes, members: body, headers: {}, model, limit };
}

/** What is stored with the vendor belongs to the gateway's account, and other accounts could read it. */
function searchesStoredFiles(tool: unknown): boolean {
  const { fileSearch, retrieval } = camelNamed(tool);
  return (fileSearch ?? retrieval) != null;
}

/** A file in a part of a content or of a function's response. Public addresses are no stored files. */
export function namesStoredFile(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(namesStoredFile);
  if (!isPlainObject(value)) return false;
  const { fileData, functionResponse, parts } = camelNamed(value);
  const { fileUri } = camelNamed(fileData);
  return (fileUri != null && !isPublic(fileUri)) || namesStoredFile(functionResponse) || namesStoredFile(parts);
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Of two spellings of one member, a null says nothing. */
export function camelNamed(value: unknown): PlainObject {
  if (!isPlainObject(value)) return {};
  const named = withCamelNames(Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)));
  return isPlainObject(named) ? named : {};
}
