import { readFileSync } from 'node:fs';
import { type Endpoint, endpoints } from '@tallyport/contracts';
import { pythonValue } from '@tallyport/pages';
import type { ReferenceOperation, ReferenceDocument } from './document.ts';
import { type SampleBody, sampleBody, samplePath } from './sample.ts';

interface CodeExample {
  language: string;
  code: string;
}

/** Code in files, with `{name}` as placeholders. */
const template = (name: string): string =>
  readFileSync(new URL(`./examples/${name}.txt`, import.meta.url), 'utf8').trimEnd();

const templates = {
  python: template('python-sdk'),
  typescript: template('typescript-sdk'),
  authorization: template('typescript-authorization'),
};

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_text, name: string) => values[name] ?? '');

interface SampleRequest {
  method: string;
  url: string;
  origin: string;
  hasKey: boolean;
  body: SampleBody | undefined;
}

/** The same request with curl, Python and TypeScript; with OpenAI's SDKs where they have the operation. */
export function examplesOf(
  operation: ReferenceOperation,
  { document, origin }: { document: ReferenceDocument; origin: string },
): CodeExample[] {
  const request: SampleRequest = {
    method: operation.method,
    url: origin + samplePath(operation),
    origin,
    hasKey: operation.security.some((schemes) => 'bearer' in schemes),
    body: sampleBody(operation, document),
  };
  const sdkCall = endpointOfOperation(operation)?.sdk;
  const argument = sdkCall?.argument === undefined ? undefined : lastPart(request.url, sdkCall.argument);
  const call = sdkCall && { ...sdkCall, argument };
  return [
    { language: 'curl', code: curl(request) },
    { language: 'Python', code: call ? pythonSdk(request, call) : python(request) },
    { language: 'TypeScript', code: call ? typescriptSdk(request, call) : typescript(request) },
  ];
}

const endpointOfOperation = ({ method, path }: ReferenceOperation): Endpoint | undefined =>
  endpoints.find((endpoint) => endpoint.method === method && endpoint.path === path);

/** The part of an address that is the id, counted from its end. */
const lastPart = (url: string, fromEnd: number): string => url.split('/').at(-1 - fromEnd) ?? '';

const key = 'TALLYPORT_API_KEY';
const isJson = ({ type }: SampleBody): boolean => type === 'application/json';

function curl({ method, url, hasKey, body }: SampleRequest): string {
  const lines = [
    method === 'GET' || (method === 'POST' && body) ? `curl ${url}` : `curl -X ${method} ${url}`,
    ...(hasKey ? [`-H "Authorization: Bearer $${key}"`] : []),
    ...(body ? curlBody(body) : []),
  ];
  return lines.join(' \\\n  ');
}

function curlBody({ type, value, files }: SampleBody): string[] {
  if (type === 'application/json') {
    return [
      '-H "Content-Type: application/json"',
      `-d '${JSON.stringify(value, undefined, 2).replaceAll("'", String.raw`'\''`)}'`,
    ];
  }
  const flag = type === 'multipart/form-data' ? '-F' : '-d';
  return Object.entries(value).map(
    ([name, text]) => `${flag} ${name}=${files.includes(name) ? '@' : ''}${String(text)}`,
  );
}

interface Call {
  python: string;
  typescript: string;
  argument: string | undefined;
}

function pythonSdk({ origin, body }: SampleRequest, { python: call, argument }: Call): string {
  const named = Object.entries(body?.value ?? {}).map(
    ([name, value]) =>
      `    ${name}=${body?.files.includes(name) ? `open("${String(value)}", "rb")` : pythonValue(value)},`,
  );
  const given = argument === undefined ? named : [`    "${argument}",`, ...named];
  return fill(templates.python, { origin, call, arguments: given.length > 0 ? `\n${given.join('\n')}\n` : '' });
}

function typescriptSdk({ origin, body }: SampleRequest, { typescript: call, argument }: Call): string {
  const given = [
    ...(argument === undefined ? [] : [`'${argument}'`]),
    ...(body === undefined ? [] : [withFiles(JSON.stringify(body.value, undefined, 2), body.files)]),
  ];
  const imports = body?.files.length ? `import { createReadStream } from 'node:fs';\n` : '';
  return fill(templates.typescript, { imports, origin, call, arguments: given.join(', ') });
}

/** Opens the files that a value names. */
const withFiles = (text: string, files: readonly string[]): string =>
  files.reduce((code, name) => code.replace(new RegExp(`("${name}": )("[^"]*")`), '$1createReadStream($2)'), text);

function python({ method, url, hasKey, body }: SampleRequest): string {
  const given = [
    `    "${url}",`,
    ...(hasKey ? [`    headers={"Authorization": f"Bearer {os.environ['${key}']}"},`] : []),
    ...(body ? pythonBody(body) : []),
  ];
  return `${hasKey ? 'import os\n' : ''}import requests

answer = requests.${method.toLowerCase()}(
${given.join('\n')}
)
print(answer.status_code, answer.text)`;
}

function pythonBody(body: SampleBody): string[] {
  const { files, value } = body;
  if (isJson(body)) return [`    json=${pythonValue(value)},`];
  const texts = Object.fromEntries(Object.entries(value).filter(([name]) => !files.includes(name)));
  return [
    `    data=${pythonValue(texts)},`,
    ...files.map((name) => `    files={"${name}": open("${String(value[name])}", "rb")},`),
  ];
}

function typescript({ method, url, hasKey, body }: SampleRequest): string {
  const headers = [
    ...(hasKey ? [templates.authorization] : []),
    ...(body && isJson(body) ? [`'content-type': 'application/json'`] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body ? [`  body: ${typescriptBody(body)},`] : []),
  ];
  return `const answer = await fetch('${url}'${options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''});
console.log(answer.status, await answer.text());`;
}

const typescriptBody = (body: SampleBody): string =>
  isJson(body)
    ? `JSON.stringify(${JSON.stringify(body.value, undefined, 2).replaceAll('\n', '\n  ')})`
    : `new URLSearchParams(${JSON.stringify(body.value)})`;
