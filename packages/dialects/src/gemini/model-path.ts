import { GatewayError } from '@tallyport/contracts';

/** What the end of an address names: `gemini-3.8-flash:generateContent`. */
interface ModelPath {
  model: string;
  verb: string;
}

/** The verb follows the last colon, because names of models may have colons of their own. */
export function modelPath(path: string): ModelPath {
  const colon = path.lastIndexOf(':');
  if (colon > 0 && colon < path.length - 1) return { model: path.slice(0, colon), verb: path.slice(colon + 1) };
  throw new GatewayError('not_found', 'The address must end in <model>:generateContent or another method.');
}

export function refuseVerb(verb: string): never {
  throw new GatewayError(
    'not_found',
    `The method ${verb.slice(0, 60)} is not supported. Use generateContent, streamGenerateContent, countTokens, embedContent or batchEmbedContents.`,
  );
}
