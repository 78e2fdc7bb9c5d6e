import {
  jsonReply,
  piece,
  type Reply,
  type FaultDialect,
  contentHash,
  isObject,
  jsonOf,
  type FamilySettings,
  openAiDialect,
  type ArrivedRequest,
  type Route,
  type RouteAnswer,
  makeImage,
  mediaTypeOf,
  mostImageBytes,
  type ImageWish,
} from '@switchyard/sandbox';

/** What a fault that is meant for downloads only names as its model. */
export const resultModel = 'result';

export interface ResultPlace {
  /** The request that is answered: results are where it came to. */
  readonly request: Pick<ArrivedRequest, 'headers' | 'provider'>;
  /** Unix seconds. */
  readonly expires: number;
  readonly redirects: number;
}

/** An address where the image will be until it expires. All that is to be known of it is in the address. */
export function resultUrl(wish: ImageWish, { request, expires, redirects }: ResultPlace): string {
  const name = Buffer.from(JSON.stringify(wish)).toString('base64url');
  const path = `/${request.provider}/results/${redirects}/${name}.${wish.format}`;
  const query = `Expires=${expires}`;
  return `http://${request.headers.host}${path}?${query}&Signature=${signatureOf(path, query)}`;
}

/** An address is enough to download its image; a forged one is refused. */
const signatureOf = (path: string, query: string): string => contentHash(`${path}?${query}`).slice(0, 20);

/** Where the vendors' results are downloaded. */
export const resultRoute = (vendors: readonly string[], settings: FamilySettings): Route => ({
  method: 'GET',
  path: new RegExp(`^/(?<provider>${vendors.join('|')})/results/\\d+/[\\w-]+\\.(?:png|jpeg|webp)$`),
  provider: 'results',
  faulty: true,
  dialect: resultDialect,
  answer: (request) => ({ model: resultModel, ...answerResult(request, settings.now()) }),
});

function answerResult({ path, query, headers, provider }: ArrivedRequest, now: number): RouteAnswer {
  const [expires = '', signature] = query.split('&Signature=');
  if (signature !== signatureOf(path, expires)) return { answer: refuse(403, 'SignatureDoesNotMatch') };
  if (Number(expires.slice('Expires='.length)) < now)
    return { answer: refuse(403, 'AccessDenied', 'Request has expired.') };
  const [left, file = ''] = path.split('/').slice(3);
  const wish = readWish(file);
  if (wish === undefined) return { answer: refuse(404, 'NoSuchKey') };
  if (left === '0') return { answer: imageReply(wish) };
  const place = { request: { headers, provider }, expires: now + 60, redirects: Number(left) - 1 };
  return { answer: { ...jsonReply(302, null, { location: resultUrl(wish, place) }), pieces: [piece('body', '')] } };
}

/** Only signed addresses get here. */
function readWish(file: string): ImageWish | undefined {
  const wish = jsonOf(Buffer.from(file.split('.', 1)[0] ?? '', 'base64url').toString());
  return isObject(wish) && Number(wish.bytes ?? 0) <= mostImageBytes ? (wish as unknown as ImageWish) : undefined;
}

function imageReply(wish: ImageWish): Reply {
  const headers = { 'content-type': mediaTypeOf(wish.format), 'cache-control': 'private' };
  return { ...jsonReply(200, null, headers), pieces: [{ part: 'body', bytes: makeImage(wish) }] };
}

const refuse = (status: number, code: string, message = code): Reply => ({
  ...jsonReply(status, null, { 'content-type': 'application/xml' }),
  pieces: [
    piece(
      'body',
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
    ),
  ],
});

const resultDialect: FaultDialect = {
  ...openAiDialect,
  failure: (status) => refuse(status, status < 500 ? 'AccessDenied' : 'InternalError'),
};
