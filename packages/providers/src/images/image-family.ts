import { unreadableAnswer } from '../faults/broken-answer.ts';
import type {
  ImageAbilities,
  ImageCall,
  ImageContext,
  ImageEvent,
  ImageJob,
  ImageProvider,
  ImageResult,
} from '../spec/image-provider.ts';
import type { Provider } from '../spec/provider.ts';
import type { UpstreamRequest } from '../spec/upstream-request.ts';
import { isMembers, type Members, members } from '../read.ts';
import { issueError, validateImageCall } from './judge.ts';
import { imagesMade, type ImagesInAnswer } from './result.ts';
import { withStyle } from './style.ts';

/** What differs between model families; everything else is shared. */
interface ImageFamily extends Pick<ImageProvider, 'abilities' | 'error'> {
  resultHosts?: readonly string[];
  request(asked: CheckedImageCall): UpstreamRequest;
  /** Reads an answer that is an object and not an error. */
  read(body: Members, context: ImageContext): ImagesInAnswer | ImageJob;
  /** The same for an event of a stream; absent if the vendor does not stream images. */
  readEvent?(body: Members): EventInStream | undefined;
}

/** An event of a stream, before it is checked. */
export type EventInStream =
  | { kind: 'partial'; index: number; found: ImagesInAnswer }
  | { kind: 'completed'; found: ImagesInAnswer };

/** A call that was validated: the model can honour all of it. */
export interface CheckedImageCall extends ImageContext {
  readonly call: ImageCall;
  readonly abilities: ImageAbilities;
}

/** An image provider for a vendor, with the vendor's address and authentication. */
export function imageFamily(vendor: Provider, { resultHosts = [], ...family }: ImageFamily): ImageProvider {
  const { readEvent } = family;
  const readable = (body: unknown): Members => {
    if (!isMembers(body)) throw unreadableAnswer(vendor.id, 'The answer is not a JSON object.');
    if (isError(body)) throw family.error(statusIn(body), {}, body);
    return body;
  };
  return {
    ...reached(vendor),
    resultHosts,
    abilities: family.abilities,
    request(call, offer) {
      const abilities = family.abilities(offer);
      const [issue] = validateImageCall(call, abilities, offer);
      if (issue !== undefined) throw issueError(issue);
      return family.request({ call: withStyle(call, abilities), offer, abilities });
    },
    response(body, context): ImageResult | ImageJob {
      const found = family.read(readable(body), context);
      return found.kind === 'waiting' ? found : imagesMade(found, context, vendor.id);
    },
    ...(readEvent && {
      event(data, context): ImageEvent | undefined {
        const event = readEvent(readable(data));
        if (event === undefined) return undefined;
        const { found, ...kind } = event;
        return { ...kind, made: imagesMade(found, context, vendor.id) };
      },
    }),
    error: family.error,
  };
}

function reached({ id, baseUrl, sdkAddsVersion, keyVariable, auth, settings, address }: Provider): Provider {
  return {
    id,
    baseUrl,
    ...(sdkAddsVersion && { sdkAddsVersion }),
    keyVariable,
    auth,
    ...(settings && { settings }),
    ...(address && { address }),
  };
}

/** `{ error: … }`, or a code and a message without a result. */
const isError = ({ error, code, message, data, output }: Members): boolean =>
  (error !== undefined && error !== null && error !== false && error !== '') ||
  (data === undefined && output === undefined && code !== undefined && message !== undefined);

/** A code that is an HTTP status is used as one; for other codes the vendor's own error table decides. */
function statusIn({ error, code }: Members): number {
  const status = Number(members(error).code ?? code);
  return status >= 400 && status < 600 ? status : 500;
}

/** A POST request with a JSON body. */
export const posted = (
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): UpstreamRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
  body: JSON.stringify(body),
});
