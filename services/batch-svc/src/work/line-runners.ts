import { createClient, type ExchangeRequest, type ExchangeResponse, type Link } from '@tallyport/bus';
import { chatService, type Endpoint, endpoints, type ErrorForm, imageService } from '@tallyport/contracts';

type Run = (request: ExchangeRequest) => Promise<ExchangeResponse>;

/** What answers the lines of a batch. */
export interface LineEndpoint {
  run: Run;
  /** The form of its errors; that of OpenAI's API if absent. */
  errors: ErrorForm | undefined;
  /** Deletes answers that were kept for repeats. What it does not reach expires. */
  forget(answers: { accountId: string; keys: string[] }): Promise<unknown>;
}

/** What answers the lines of a batch, by the address of its endpoint. */
export type LineRunners = (path: string) => LineEndpoint;

export function lineRunners(link: Link): LineRunners {
  const chat = createClient(link, chatService);
  const image = createClient(link, imageService);
  const runs: Readonly<Record<string, Run>> = {
    '/v1/chat/completions': chat.complete,
    '/v1/responses': chat.responses,
    '/v1/completions': chat.completeText,
    '/v1/embeddings': chat.embed,
    '/v1/moderations': chat.moderate,
    '/v1/rerank': chat.rerank,
    '/v1/decisions': chat.decide,
    '/v1/messages': chat.messages,
    '/v1/images/generations': image.generate,
  };
  const listed: readonly Endpoint[] = endpoints;
  return (path) => {
    const run = runs[path];
    if (run === undefined) throw new TypeError(`${path} cannot be in a batch.`);
    const row = listed.find((each) => each.path === path);
    const forget: LineEndpoint['forget'] =
      row?.service === 'image' ? (answers) => image.forgetAnswers(answers) : (answers) => chat.forgetAnswers(answers);
    return { run, errors: row?.errors, forget };
  };
}
