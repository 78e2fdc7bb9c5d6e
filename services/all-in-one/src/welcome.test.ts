import { expect, test } from 'vitest';
import { welcome, type Welcome } from './welcome.ts';

const first: Welcome = {
  url: 'http://127.0.0.1:4000',
  key: 'sk-tp-first',
  isOwnKey: false,
  setupPath: '/setup/token',
  sandbox: 'auto',
  sandboxUrl: 'http://127.0.0.1:4010',
  providers: [],
  model: 'sandbox-chat',
  offersPostgres: false,
};

test('the first start has lines that can be copied', () => {
  expect(welcome(first)).toMatchInlineSnapshot(`
    "
      Tallyport is ready.   No provider key is set, so simulated providers answer.

      URL              http://127.0.0.1:4000
      OpenAI base URL  http://127.0.0.1:4000/v1
      API key          sk-tp-first
      MCP              {"mcpServers":{"tallyport":{"type":"http","url":"http://127.0.0.1:4000/mcp","headers":{"Authorization":"Bearer sk-tp-first"}}}}
      Dashboard        http://127.0.0.1:4000/dashboard
      Set up           http://127.0.0.1:4000/setup/token   (no owner yet; open this once to set one up)
      Images           http://127.0.0.1:4010/control/gallery#key=sk-tp-first

      Copy this first, then the lines below and those of README.md:
        export URL=http://127.0.0.1:4000 TALLYPORT_API_KEY=sk-tp-first

      Ask:
        curl -N $URL/v1/chat/completions -H "Authorization: Bearer $TALLYPORT_API_KEY" \\
          -H "Content-Type: application/json" -H "x-no-cache: true" \\
          -d '{"model":"sandbox-chat","stream":true,"messages":[{"role":"user","content":"Hello"}]}'

      Watch it fail over: break sandbox-a, ask again, and sandbox-b answers. With a click:
        http://127.0.0.1:4010/control#key=sk-tp-first
      Or in the shell:
        curl -X POST http://127.0.0.1:4010/control/faults -H "Content-Type: application/json" \\
          -d '{"provider":"sandbox-a","fault":"status:503"}'
        curl -X DELETE http://127.0.0.1:4010/control/faults   # repair it

      Docs             README.md (first steps), docs/ (settings, providers, operating)

    "
  `);
});

test('provider keys turn the simulated models off', () => {
  const text = welcome({
    ...first,
    setupPath: undefined,
    sandboxUrl: undefined,
    providers: ['anthropic', 'openai'],
    model: undefined,
  });
  expect(text).toMatchInlineSnapshot(`
    "
      Tallyport is ready.   Simulated models are off because a provider key is set; SANDBOX=on keeps them.

      URL              http://127.0.0.1:4000
      OpenAI base URL  http://127.0.0.1:4000/v1
      API key          sk-tp-first
      MCP              {"mcpServers":{"tallyport":{"type":"http","url":"http://127.0.0.1:4000/mcp","headers":{"Authorization":"Bearer sk-tp-first"}}}}
      Dashboard        http://127.0.0.1:4000/dashboard

      Copy this first, then the lines below and those of README.md:
        export URL=http://127.0.0.1:4000 TALLYPORT_API_KEY=sk-tp-first

      List the models that you can call:
        curl $URL/v1/models -H "Authorization: Bearer $TALLYPORT_API_KEY"

      Docs             README.md (first steps), docs/ (settings, providers, operating)

    "
  `);
});

test.each([
  { sandbox: 'on', sandboxUrl: first.sandboxUrl, providers: ['openai'] },
  { sandbox: 'off', sandboxUrl: undefined, providers: ['openai'] },
  { sandbox: 'auto', sandboxUrl: undefined, providers: [] },
] as const)('says nothing about the simulated models with %j', (parts) => {
  expect(welcome({ ...first, ...parts })).toContain('\n  Tallyport is ready.\n');
});

test('a key that the operator chose stays out of links', () => {
  const text = welcome({ ...first, key: '$BOOTSTRAP_API_KEY', isOwnKey: true });
  expect(text).toContain('    export URL=http://127.0.0.1:4000 TALLYPORT_API_KEY=$BOOTSTRAP_API_KEY\n');
  expect(text).toContain('    http://127.0.0.1:4010/control\n');
  expect(text).toContain('  Images           http://127.0.0.1:4010/control/gallery\n');
});

test('a Postgres of this machine is offered', () => {
  expect(welcome({ ...first, offersPostgres: true })).toContain(
    '  Images           http://127.0.0.1:4010/control/gallery#key=sk-tp-first\n' +
      '  Database         embedded; the Postgres of this machine can take its place: docs/performance.md, "What you can set"\n',
  );
});
