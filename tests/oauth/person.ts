/** A page as loaded by a browser without scripts. */
export interface Page {
  url: string;
  status: number;
  headers: Headers;
  text: string;
}

/** A user with a simple browser: keeps cookies by path, follows redirects within the gateway, and submits forms. */
export interface Person {
  open(url: string): Promise<Page>;
  /** Submits the first form of the page. Returns the resulting page, or the URL of a redirect to another site. */
  submit(page: Page, fields?: Readonly<Record<string, string>>): Promise<Page>;
  /** Calls the API as a page of the gateway would. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

export function createPerson(baseUrl: string): Person {
  let jar: Cookie[] = [];

  function keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const path = attributes.find((text) => /^path=/i.test(text))?.slice(5) ?? '/';
      const cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), path };
      jar = jar.filter(({ name, path: of }) => name !== cookie.name || of !== cookie.path);
      const ended = cookie.value === '' || attributes.some((text) => /^max-age=0$|1970/i.test(text));
      if (!ended) jar.push(cookie);
    }
  }

  async function ask(url: string, init: RequestInit = {}): Promise<Page> {
    const { pathname } = new URL(url);
    const fitting = jar.filter(({ path }) => pathname === path || pathname.startsWith(path === '/' ? '/' : `${path}/`));
    const cookie = fitting.map(({ name, value }) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html,*/*', ...(cookie && { cookie }), ...(init.headers as object) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    keep(response.headers);
    const location = response.headers.get('location');
    if (location === null) {
      return { url, status: response.status, headers: response.headers, text: await response.text() };
    }
    await response.body?.cancel();
    const next = new URL(location, url);
    if (next.origin === new URL(baseUrl).origin) return ask(next.href);
    return { url: next.href, status: response.status, headers: response.headers, text: '' };
  }

  return {
    open: (url) => ask(new URL(url, baseUrl).href),
    submit(page, fields = {}) {
      const { action, hidden } = formOf(page.text);
      return ask(new URL(action, page.url).href, {
        method: 'POST',
        headers: { origin: new URL(baseUrl).origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...hidden, ...fields }),
      });
    },
    async call(method, path, body) {
      const headers = {
        origin: new URL(baseUrl).origin,
        accept: 'application/json',
        'content-type': 'application/json',
      };
      const page = await ask(new URL(path, baseUrl).href, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: page.status, body: JSON.parse(page.text) as Record<string, unknown> };
    },
  };
}

function formOf(text: string): { action: string; hidden: Record<string, string> } {
  const form = /<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/.exec(text);
  if (!form) throw new Error(`There is no form in this page:\n${text.slice(0, 2_000)}`);
  const [, action = '', inside = ''] = form;
  const hidden: Record<string, string> = {};
  for (const [input] of inside.matchAll(/<input[^>]*>/g)) {
    const isKept = /type="hidden"/.test(input) || /\bchecked\b/.test(input);
    const name = attribute(input, 'name');
    if (isKept && name !== undefined) hidden[name] = attribute(input, 'value') ?? '';
  }
  return { action: decode(action), hidden };
}

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : decode(value);
};

const decode = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
