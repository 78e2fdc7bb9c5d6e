import { chatErrors, type ErrorForm, GatewayError } from '@tallyport/contracts';
import type { IncomingHttpHeaders } from 'node:http';
import { createPathGuide, type MeantRoutes, type PathGuide } from '@tallyport/service-kit';
import { formOfApi } from './api-forms.ts';
import { addressName, type AddressSources, type KnownAddress, knownAddresses } from './known-addresses.ts';

export interface WrongAddress {
  method: string;
  path: string;
}

export interface WrongAddresses {
  /** The error of an address that does not exist: it says which one was probably meant. */
  notFound(wrong: WrongAddress): { error: GatewayError; listed: readonly string[] };
  /** The form of errors of the API that an address, or the client that calls it, belongs to. */
  errorsAt(wrong: WrongAddress, headers: IncomingHttpHeaders): ErrorForm;
}

/** Reads the known addresses at the first wrong one. */
export function createWrongAddresses(sources: AddressSources): WrongAddresses {
  let guide: PathGuide<KnownAddress> | undefined;

  function meantBy({ method, path }: WrongAddress): MeantRoutes<KnownAddress> | undefined {
    guide ??= createPathGuide(knownAddresses(sources));
    return guide({ method, path });
  }

  return {
    notFound(wrong) {
      const refusal = refusedAddresses.find(({ start }) => wrong.path.startsWith(start));
      if (refusal !== undefined) return { error: new GatewayError('not_found', refusal.text), listed: [] };
      const found = meantBy(wrong);
      const routes = found?.routes ?? [];
      const names = routes.map(({ route, path }) => addressName({ ...route, path }));
      const isStart = found?.mistake === 'missing_end' && names.length > mostMeant;
      const listed = isStart ? names.filter((name) => !name.includes('{')).slice(0, mostListed) : [];
      const [first] = routes;
      const reason = first && found && reasonOf(wrong.path, { mistake: found.mistake, meant: first.path });
      const text = listed.length > 0 ? startText(wrong, listed) : meantText(wrong, { reason, names });
      return { error: new GatewayError('not_found', text), listed };
    },
    errorsAt: (wrong, headers) =>
      formOfApi(wrong.path, headers) ?? meantBy(wrong)?.routes[0]?.route.errors ?? chatErrors,
  };
}

const live = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
const otherSessions = `Of Google's sessions, only ${live} is served, with a key of this gateway in x-goog-api-key.`;
const noTokens = 'Ephemeral tokens of Google are not served, because they would be sent in the address.';
const throughGateway = 'Open a WebSocket at /v1/realtime instead.';
/** Of OpenAI's and Google's APIs, with the reason why they are not served. */
const refusedAddresses = [
  {
    start: '/v1/realtime/calls',
    text: `Realtime calls over WebRTC and SIP are not served: their audio would not pass the gateway. ${throughGateway}`,
  },
  { start: '/v1/live', text: `OpenAI's Live API is not served. ${throughGateway}` },
  ...['/v1', '/openai/v1', '/v1beta/openai'].map((base) => ({
    start: `${base}/videos`,
    text: 'Videos are not served: this gateway makes texts, images, speech and vectors. Call the vendor of the video itself.',
  })),
  { start: '/v1/realtime/translations', text: `Realtime translations are not served. ${throughGateway}` },
  ...['/ws/', '//ws/'].map((start) => ({ start, text: otherSessions })),
  ...['/v1beta', '/v1alpha'].map((version) => ({ start: `${version}/auth_tokens`, text: noTokens })),
];

const mostMeant = 3;
const mostListed = 40;
const mostShown = 200;
const baseUrl = '/v1';
const management = '/api/v1';

const shown = ({ method, path }: WrongAddress): string => `${method} ${path.slice(0, mostShown)}`;

function startText(wrong: WrongAddress, listed: readonly string[]): string {
  const isBaseUrl = wrong.path.replace(/\/+$/, '') === baseUrl;
  const what = isBaseUrl ? 'it is the base URL for clients' : 'addresses only begin with it';
  return `${shown(wrong)} does not exist: ${what}. Call ${listed.join(', ')}; /docs describes them.`;
}

function meantText(
  wrong: WrongAddress,
  { reason, names }: { reason: string | undefined; names: readonly string[] },
): string {
  if (names.length === 0)
    return `${shown(wrong)} does not exist. GET ${baseUrl} lists the API, and /docs describes it.`;
  const question = `id you mean ${names.slice(0, mostMeant).join(' or ')}?`;
  return `${shown(wrong)} does not exist. ${reason === undefined ? 'D' : `${reason}: d`}${question}`;
}

interface Meant {
  mistake: MeantRoutes<KnownAddress>['mistake'];
  /** The path that was probably meant. */
  meant: string;
}

/** What is wrong with the start of an address. */
function reasonOf(path: string, { mistake, meant }: Meant): string | undefined {
  const isManagement = meant.startsWith(`${management}/`);
  if (mistake === 'missing_start') {
    if (isManagement) return `The management API is below ${management}`;
    return meant.startsWith(`${baseUrl}/`) ? `The API is below ${baseUrl}` : undefined;
  }
  if (mistake !== 'extra_start') return undefined;
  const start = path.replace(/\/+$/, '').slice(0, -meant.length);
  if (isManagement) return `The management API is at ${management}, without ${start} before it`;
  return meant.startsWith(`${start}/`) ? `The base URL already ends in ${start}` : `Leave out ${start}`;
}
