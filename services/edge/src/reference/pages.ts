import { heading, type Html, html, jumpLink, layout, menu, searchForm, type ScriptName } from '@tallyport/pages';
import { addressOf, type Area, areaGroups } from './areas.ts';
import { findOperations, longestQuery, type Reference } from './find-operations.ts';
import { methodBadge, type OperationContext, operationView } from './operation-view.ts';
import { firstSentence, inline, prose } from './prose.ts';

export const searchAddress = '/docs/search';

const scripts: readonly ScriptName[] = ['palette.js', 'copy.js'];

const placeholder = 'An operation, a path or a word';

const framed = (areas: readonly Area[], { title, shown, body }: { title: string; shown?: string; body: Html }): Html =>
  layout({
    title,
    width: 'wide',
    scripts,
    corner: html`<a href="/dashboard">Dashboard</a> <a href="/openapi.json">OpenAPI</a>`,
    cornerLabel: 'More',
    side: menu({
      label: 'API reference',
      shown: title,
      top: jumpLink({ href: searchAddress, text: 'Search…', placeholder }),
      groups: [
        { links: [{ href: '/docs', text: 'Introduction', isShown: shown === '/docs' }] },
        ...areaGroups.map((group) => ({
          title: group,
          links: areas
            .filter((area) => area.group === group)
            .map((area) => ({ href: addressOf(area), text: area.title, isShown: shown === addressOf(area) })),
        })),
      ],
    }),
    body,
  });

/** What is the same for all operations, and where they are. */
export const introductionPage = ({ document, areas }: Reference, origin: string): Html =>
  framed(areas, {
    title: 'API reference',
    shown: '/docs',
    body: html`${heading({ title: 'API reference', text: `Version ${document.info.version}` })} ${searchPart('')}
      <div class="panel padded">
        <dl class="facts">
          <dt>Base URL of OpenAI clients</dt>
          <dd><code>${origin}/v1</code></dd>
          <dt>MCP server</dt>
          <dd><code>${origin}/mcp</code></dd>
          <dt>As data</dt>
          <dd><a href="/openapi.json">openapi.json</a></dd>
          <dt>Try it</dt>
          <dd><a href="/dashboard?section=playground">The Playground</a>, for people who are signed in</dd>
        </dl>
      </div>
      <div class="panel padded prose">
        ${prose(document.info.description)}
        <h2>Credentials</h2>
        <ul>
          ${Object.values(document.components.securitySchemes).map(
            ({ description }) => html`<li>${inline(description)}</li>`,
          )}
        </ul>
      </div>
      ${areas.map((area) => areaSummary(area))}`,
  });

const areaSummary = (area: Area): Html =>
  html`<section class="panel padded">
    <h2><a href="${addressOf(area)}">${area.title}</a></h2>
    ${operationList(area.operations.map((operation) => ({ operation, href: addressOf(area, operation) })))}
  </section>`;

interface Listed {
  operation: Area['operations'][number];
  href: string;
}

const operationList = (operations: readonly Listed[]): Html =>
  html`<ul class="operations">
    ${operations.map(
      ({ operation, href }) =>
        html`<li>
          ${methodBadge(operation)}
          <span
            ><a href="${href}">${operation.path}</a>
            <span class="quiet small">${inline(firstSentence(operation.summary))}</span></span
          >
        </li>`,
    )}
  </ul>`;

/** All operations of an area. */
export const areaPage = (area: Area, { areas, ...context }: Reference & OperationContext): Html =>
  framed(areas, {
    title: area.title,
    shown: addressOf(area),
    body: html`${heading({ title: area.title })}
    ${
      area.operations.length > 1 &&
      html`<nav class="panel padded" aria-label="On this page">
        ${operationList(area.operations.map((operation) => ({ operation, href: `#${operation.operationId}` })))}
      </nav>`
    }
    ${area.operations.map((operation) => operationView(operation, context))}`,
  });

/** The operations that a text finds. */
export function searchPage(reference: Reference, text: string): Html {
  const found = findOperations(reference, text);
  return framed(reference.areas, {
    title: 'Search',
    body: html`${heading({ title: 'Search' })} ${searchPart(text)}
      <div class="panel padded">
        ${found.length > 0 ? operationList(found) : html`<p>No operation has these words.</p>`}
      </div>`,
  });
}

const searchPart = (text: string): Html =>
  searchForm({
    action: searchAddress,
    label: 'Search the API',
    placeholder,
    text: text.slice(0, longestQuery),
    kept: {},
  });
