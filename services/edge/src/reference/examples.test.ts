import { describe, expect, test } from 'vitest';
import { operationsOf, readReferenceDocument } from './document.ts';
import { examplesOf } from './examples.ts';

const document = readReferenceDocument();
const origin = 'https://gateway.example';

function codeFor(id: string): Record<string, string> {
  const operation = operationsOf(document).find(({ operationId }) => operationId === id);
  if (operation === undefined) throw new Error(`There is no operation ${id}.`);
  return Object.fromEntries(examplesOf(operation, { document, origin }).map(({ language, code }) => [language, code]));
}

describe('an operation as code', () => {
  test("with OpenAI's SDKs", () => {
    expect(codeFor('createCompletion')).toEqual({
      curl: String.raw`curl https://gateway.example/v1/completions \
  -H "Authorization: Bearer $TALLYPORT_API_KEY" \
  -H "Content-Type: application/json" \
  -d '{
  "model": "sandbox-chat",
  "prompt": "What is a tallyport?"
}'`,
      Python: `import os
from openai import OpenAI

client = OpenAI(base_url="https://gateway.example/v1", api_key=os.environ["TALLYPORT_API_KEY"])
answer = client.completions.create(
    model="sandbox-chat",
    prompt="What is a tallyport?",
)
print(answer)`,
      TypeScript: `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: 'https://gateway.example/v1', apiKey: process.env.TALLYPORT_API_KEY });
const answer = await client.completions.create({
  "model": "sandbox-chat",
  "prompt": "What is a tallyport?"
});
console.log(answer);`,
    });
    expect(codeFor('listResponseInputItems')['Python']).toContain('client.responses.input_items.list(\n    "ID",\n)');
    expect(codeFor('listResponseInputItems')['TypeScript']).toContain("client.responses.inputItems.list('ID')");
  });

  test('of the management API', () => {
    const code = codeFor('removeProjectMember');
    expect(code['curl']).toBe(String.raw`curl -X DELETE https://gateway.example/api/v1/projects/ID/members/USER_ID \
  -H "Authorization: Bearer $TALLYPORT_API_KEY"`);
    expect(code['Python']).toBe(`import os
import requests

answer = requests.delete(
    "https://gateway.example/api/v1/projects/ID/members/USER_ID",
    headers={"Authorization": f"Bearer {os.environ['TALLYPORT_API_KEY']}"},
)
print(answer.status_code, answer.text)`);
    expect(code['TypeScript'])
      .toBe(`const answer = await fetch('https://gateway.example/api/v1/projects/ID/members/USER_ID', {
  method: 'DELETE',
  headers: { authorization: \`Bearer \${process.env.TALLYPORT_API_KEY}\` },
});
console.log(answer.status, await answer.text());`);
  });

  test('with a form, and without a key', () => {
    const form = codeFor('createTranscription');
    expect(form['curl']).toContain('-F file=@FILE \\\n  -F model=MODEL');
    expect(form['Python']).toContain('file=open("FILE", "rb"),\n    model="MODEL",');
    expect(form['TypeScript']).toContain('"file": createReadStream("FILE"),');
    expect(codeFor('token')['curl']).toContain('-d grant_type=authorization_code');
    expect(codeFor('health')['curl']).toBe('curl https://gateway.example/');
  });

  test('a body without an example has the required members', () => {
    expect(codeFor('createAlert')['curl']).toContain('"name": "NAME"');
  });
});
