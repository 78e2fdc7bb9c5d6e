import { weakenedMembers } from '@tallyport/providers';
import type { Run } from '../attempts/run.ts';
import type { Attempt } from './attempt.ts';
import type { ChatJob } from './chat-job.ts';

/** What the vendor did not get as the client asked for it; `undefined` if it got all. Noted for the page of the request. */
export function noteWeakened({ routes }: Run<ChatJob>, attempt: Attempt): readonly string[] | undefined {
  const { native, provider, chat, offer, leftOut } = attempt;
  if (native !== undefined) return undefined;
  const weakened = [...weakenedMembers(provider, chat.request, offer), ...(leftOut === undefined ? [] : [leftOut])];
  const route = routes.at(-1);
  if (weakened.length === 0 || route === undefined) return undefined;
  route.weakened = weakened;
  return weakened;
}
