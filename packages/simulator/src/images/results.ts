import {
  bytesReply,
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
  type VendorRoute,
  type RouteAnswer,
  makeImage,
  mediaTypeOf,
  mostImageBytes,
  type ImageSpec,
} from '@tallyport/sandbox';

/** The model name with which a fault applies to downloads only. */
const resultModel = 'result';

interface ResultPlace {
  /** The current request: results are on the same host. */
  readonly request: Pick<ArrivedRequest, 'headers' | 'provider'>;
  /** Unix seconds. */
  readonly expires: number;
  readonly redirects: number;
}

/** The URL of an image until it expires. The URL contains everything needed to make the image. */
export function resultUrl(spec: ImageSpec, { request, expires, redirects }: ResultPlace): string {
  const name = Buffer.from(JSON.stringify(spec)).toString('base64url');
  const path = `/${request.provider}/results/${redirects}/${name}.${spec.format}`;
  const query = `Expires=${expires}`;
  return `http://${request.headers.host}${path}?${query}&Signature=${signatureOf(path, query)}`;
}

/** The URL is enough to download its image, so it is signed. */
const signatureOf = (path: string, query: string): string => contentHash(`${path}?${query}`).slice(0, 20);

/** Serves the downloads of all vendors. */
export const resultRoute = (vendors: readonly string[], settings: FamilySettings): VendorRoute => ({
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
  const spec = readSpec(file);
  if (spec === undefined) return { answer: refuse(404, 'NoSuchKey') };
  if (left === '0') return { answer: imageReply(spec) };
  const place = { request: { headers, provider }, expires: now + 60, redirects: Number(left) - 1 };
  return { answer: { ...jsonReply(302, null, { location: resultUrl(spec, place) }), pieces: [piece('body', '')] } };
}

/** Called only for signed URLs. */
function readSpec(file: string): ImageSpec | undefined {
  const spec = jsonOf(Buffer.from(file.split('.', 1)[0] ?? '', 'base64url').toString());
  return isObject(spec) && Number(spec.bytes ?? 0) <= mostImageBytes ? (spec as unknown as ImageSpec) : undefined;
}

function imageReply(spec: ImageSpec): Reply {
  const headers = { 'content-type': mediaTypeOf(spec.format), 'cache-control': 'private' };
  return bytesReply(makeImage(spec), headers);
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
