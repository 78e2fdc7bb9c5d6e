import { isLetIn, type FamilySettings, type ArrivedRequest, type Route } from '@switchyard/sandbox';
import { arrayDialect, eventDialect } from './dialect.ts';
import { googleErrorReply, googleMissingKey, unauthenticated, googleWrongKey, type GoogleError } from './errors.ts';
import { createGenerate, type GenerateForm } from './generate.ts';
import { createTokenDesk } from './token-desk.ts';

type Refuse = (request: ArrivedRequest) => GoogleError | undefined;

/** The Gemini API with its keys, and Vertex with tokens it hands out itself. */
export function googleRoutes(settings: FamilySettings): Route[] {
  const generate = createGenerate(settings);
  const desk = createTokenDesk(settings);
  const gemini = { provider: 'google', path: '/google/v1(?:beta)?/models/[^/:]+' };
  const vertex = {
    provider: 'google-vertex',
    path: '/vertex/v1(?:beta1)?/projects/[^/]+/locations/[^/]+/publishers/google/models/[^/:]+',
  };
  const refuseKey: Refuse = (request) => checkKey(request, settings.apiKeys);
  const refuseToken: Refuse = (request) => (desk.knows(request) ? undefined : unauthenticated);
  const both = (place: typeof gemini, refuse: Refuse): Route[] => [
    generateRoute(place, generate, refuse),
    streamRoute(place, generate, refuse),
  ];
  return [...both(gemini, refuseKey), ...both(vertex, refuseToken), desk.route];
}

type Generate = ReturnType<typeof createGenerate>;

const generateRoute = (place: { provider: string; path: string }, generate: Generate, refuse: Refuse): Route => ({
  method: 'POST',
  path: new RegExp(`^${place.path}:generateContent$`),
  provider: place.provider,
  faulty: true,
  dialect: eventDialect,
  answer: (request) => guarded(request, refuse) ?? generate(request, 'whole'),
});

const streamRoute = (place: { provider: string; path: string }, generate: Generate, refuse: Refuse): Route => ({
  method: 'POST',
  path: new RegExp(`^${place.path}:streamGenerateContent$`),
  provider: place.provider,
  faulty: true,
  dialect: eventDialect,
  answer: (request) => {
    const form = formOf(request);
    const dialect = form === 'array' ? { dialect: arrayDialect } : {};
    return { ...(guarded(request, refuse) ?? generate(request, form)), ...dialect };
  },
});

const formOf = ({ query }: ArrivedRequest): GenerateForm =>
  new URLSearchParams(query).get('alt') === 'sse' ? 'events' : 'array';

function guarded(request: ArrivedRequest, refuse: Refuse) {
  const error = refuse(request);
  return error && { answer: googleErrorReply(error) };
}

function checkKey({ headers, query }: ArrivedRequest, apiKeys: readonly string[]): GoogleError | undefined {
  const key = headers['x-goog-api-key'] ?? new URLSearchParams(query).get('key') ?? '';
  if (key === '') return googleMissingKey;
  return isLetIn(key, apiKeys) ? undefined : googleWrongKey;
}
