import { unreadableAnswer } from '../faults/broken-answer.ts';
import type {
  ImageAbilities,
  ImageCall,
  ImageContext,
  ImageJob,
  ImageProvider,
  ImagesMade,
} from '../image-provider.ts';
import type { Provider, UpstreamRequest } from '../provider.ts';
import { isMembers, type Members, members } from '../read.ts';
import { issueError, judgeImages } from './judge.ts';
import { imagesMade, type ImagesInAnswer } from './result.ts';

/** What is a family's own; the rest is the same for all. */
export interface ImageFamily extends Pick<ImageProvider, 'abilities' | 'error'> {
  resultHosts?: readonly string[];
  request(asked: JudgedCall): UpstreamRequest;
  /** Reads an answer that is an object and tells of no error. */
  read(body: Members, context: ImageContext): ImagesInAnswer | ImageJob;
}

/** A call that was judged: everything in it can be honoured. */
export interface JudgedCall extends ImageContext {
  readonly call: ImageCall;
  readonly abilities: ImageAbilities;
}

/** An image provider of a vendor that is reached as `vendor` says. */
export function imageFamily(vendor: Provider, { resultHosts = [], ...family }: ImageFamily): ImageProvider {
  return {
    ...reached(vendor),
    resultHosts,
    abilities: family.abilities,
    request(call, offer) {
      const abilities = family.abilities(offer);
      const [issue] = judgeImages(call, abilities, offer);
      if (issue !== undefined) throw issueError(issue);
      return family.request({ call, offer, abilities });
    },
    response(body, context): ImagesMade | ImageJob {
      if (!isMembers(body)) throw unreadableAnswer(vendor.id, 'The answer is not a JSON object.');
      if (tellsError(body)) throw family.error(statusIn(body), {}, body);
      const found = family.read(body, context);
      return found.kind === 'waiting' ? found : imagesMade(found, context, vendor.id);
    },
    error: family.error,
  };
}

function reached({ id, baseUrl, keyVariable, auth, settings, address }: Provider): Provider {
  return { id, baseUrl, keyVariable, auth, ...(settings && { settings }), ...(address && { address }) };
}

/** `{ error: … }`, or a code and a message and nothing else that counts. */
const tellsError = ({ error, code, message, data, output }: Members): boolean =>
  (error !== undefined && error !== null && error !== false && error !== '') ||
  (data === undefined && output === undefined && code !== undefined && message !== undefined);

/** Codes that are statuses say what they mean; of others the vendor's own reading knows. */
function statusIn({ error, code }: Members): number {
  const told = Number(members(error).code ?? code);
  return told >= 400 && told < 600 ? told : 500;
}

/** A request with a JSON body. */
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
