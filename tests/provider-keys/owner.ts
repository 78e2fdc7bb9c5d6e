export const ownerEnvironment = {
  BOOTSTRAP_ADMIN_EMAIL: 'owner@example.com',
  BOOTSTRAP_ADMIN_PASSWORD: 'a long enough password',
};

const bootstrapped = {
  email: ownerEnvironment.BOOTSTRAP_ADMIN_EMAIL,
  password: ownerEnvironment.BOOTSTRAP_ADMIN_PASSWORD,
};

export interface Owner {
  /** Of a request with the session, as pages send it. */
  headers: Record<string, string>;
  /** Calls `METHOD /path` below `/api/v1`; resolves for every status. */
  ask(operation: string, body?: object): Promise<{ status: number; body: Record<string, unknown>; text: string }>;
}

/** The first owner, signed in. */
export async function signInOwner(baseUrl: string, person = bootstrapped): Promise<Owner> {
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify(person);
  const signedIn = await fetch(`${baseUrl}/api/v1/session`, { method: 'POST', headers: json, body });
  const { csrfToken } = (await signedIn.json()) as { csrfToken: string };
  const cookie = signedIn.headers.getSetCookie().map((each) => each.split(';')[0]);
  const headers = { ...json, cookie: cookie.join('; '), 'x-csrf-token': csrfToken };
  return {
    headers,
    async ask(operation, input) {
      const [method, path] = operation.split(' ');
      const init = { method, headers, ...(input && { body: JSON.stringify(input) }) };
      const response = await fetch(`${baseUrl}/api/v1${path}`, init);
      const text = await response.text();
      return { status: response.status, body: JSON.parse(text), text };
    },
  };
}
