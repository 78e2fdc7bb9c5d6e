import { type Html, html, layout } from '@tallyport/pages';

/** What a browser shows at `/`: where the gateway's parts are. */
export const rootPage = (origin: string, { hasStatus }: { hasStatus: boolean }): Html =>
  layout({
    title: 'Gateway',
    body: html` <div class="card">
      <h1>This is a Tallyport gateway</h1>
      <p class="quiet">One OpenAI-compatible API for the models of many providers.</p>
      <dl class="facts">
        <dt>API</dt>
        <dd><code>${origin}/v1</code></dd>
        <dt>MCP server</dt>
        <dd><code>${origin}/mcp</code></dd>
      </dl>
      <p><a class="button whole" href="/dashboard">Open the dashboard</a></p>
      <p><a class="button plain whole" href="/docs">API reference</a></p>
      ${hasStatus && html`<p><a class="button plain whole" href="/status">Status of the providers</a></p>`}
    </div>`,
  });
