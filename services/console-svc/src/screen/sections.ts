import { type Access, type AccountRights, hasAccess } from '@tallyport/management';
import { type Html, html } from '@tallyport/pages';

/** The groups of the navigation, in order. */
export const sectionGroups = ['Observe', 'Build', 'Access', 'Settings'] as const;

export type SectionGroup = (typeof sectionGroups)[number];

interface Section {
  title: string;
  group: SectionGroup;
  access: Exclude<Access, 'anyone'>;
  /** An SVG path in a 20 × 20 box. */
  icon: string;
}

/** The sections of the dashboard, in the order of their group. A section is only shown to users with access to it. */
export const sections = {
  overview: {
    title: 'Overview',
    group: 'Observe',
    access: 'member',
    icon: 'M3.500 3.500h5.500v7H3.500zm7.500 0h5.500v4H11zm0 6.500h5.500v6.500H11zm-7.500 3h5.500v3.500H3.500z',
  },
  requests: {
    title: 'Requests',
    group: 'Observe',
    access: 'member',
    icon: 'M4 5h12M4 10h12M4 15h7',
  },
  batches: {
    title: 'Batches',
    group: 'Observe',
    access: 'member',
    icon: 'M3.500 6.500 10 3l6.500 3.500L10 10Zm0 3.500 6.500 3.500 6.500-3.500m-13 3.500L10 17l6.500-3.500',
  },
  analytics: { title: 'Analytics', group: 'Observe', access: 'member', icon: 'M4 16V9m4 7V4m4 12v-5m4 5V7' },
  providers: {
    title: 'Providers',
    group: 'Observe',
    access: 'member',
    icon: 'M2.500 10.500h3.500l2-5 3.500 9 2.500-6.500 1 2.500h2.500',
  },
  playground: {
    title: 'Playground',
    group: 'Build',
    access: 'member',
    icon: 'M3.500 4.500h13v9h-7l-3.500 3v-3H3.500Zm4 4.500h.01m2.490 0h.01m2.490 0h.01',
  },
  models: {
    title: 'Models',
    group: 'Build',
    access: 'member',
    icon: 'M10 3 16.500 6.500v7L10 17l-6.500-3.500v-7Zm0 7 6.500-3.500M10 10v7m0-7L3.500 6.500',
  },
  routes: {
    title: 'Routes',
    group: 'Build',
    access: 'member',
    icon: 'M5 3.500a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3Zm10 10a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3ZM6.500 5h6a2.500 2.500 0 0 1 0 5h-5a2.500 2.500 0 0 0 0 5h6',
  },
  routing: {
    title: 'Routing',
    group: 'Build',
    access: 'member',
    icon: 'M3.500 10h4m0 0 5-5h3.500m-8.500 5 5 5h3.500M14.500 3l2 2-2 2m0 6 2 2-2 2',
  },
  keys: {
    title: 'API Keys',
    group: 'Access',
    access: 'member',
    icon: 'M7.5 12.5a4 4 0 1 1 3.3-1.7L17 17m-3-3 2-2m-8.7-4.9h.01',
  },
  projects: {
    title: 'Projects',
    group: 'Access',
    access: 'member',
    icon: 'M3.500 6h5l1.500 2h6.500v8h-13Z',
  },
  'provider-keys': {
    title: 'Provider Keys',
    group: 'Access',
    access: 'member',
    icon: 'M4 5.5h12v4H4zm0 5h12v4H4zm2.5-3h.01m-.01 5h.01',
  },
  'mcp-servers': {
    title: 'MCP Servers',
    group: 'Build',
    access: 'member',
    icon: 'M4 4h12v4H4zm0 8h12v4H4zm6-4v4M6.500 6h.01m-.01 8h.01',
  },
  guardrails: {
    title: 'Guardrails',
    group: 'Access',
    access: 'member',
    icon: 'M10 3.500 16 6v4c0 3.300-2.400 5.700-6 6.700-3.600-1-6-3.400-6-6.700V6Zm-3 6.500h6',
  },
  members: {
    title: 'Members',
    group: 'Access',
    access: 'member',
    icon: 'M8 9.5A2.75 2.75 0 1 0 8 4a2.75 2.75 0 0 0 0 5.500ZM3 16c.4-2.800 2.300-4.200 5-4.200s4.600 1.400 5 4.200m0-11.700a2.600 2.600 0 0 1 0 5m1.500 2.700c1.400.5 2.300 1.700 2.500 3.500',
  },
  'oauth-clients': {
    title: 'OAuth',
    group: 'Access',
    access: 'member',
    icon: 'M10 3.500 16 6v4c0 3.300-2.400 5.700-6 6.700-3.600-1-6-3.400-6-6.700V6Zm-2.500 6.300 1.800 1.800 3.300-3.500',
  },
  budgets: {
    title: 'Budgets and Alerts',
    group: 'Settings',
    access: 'member',
    icon: 'M10 3a4.500 4.500 0 0 0-4.500 4.500c0 4-1.500 5.500-1.500 5.500h12s-1.500-1.500-1.500-5.500A4.500 4.500 0 0 0 10 3ZM8.500 16a1.600 1.600 0 0 0 3 0',
  },
  reconciliations: {
    title: 'Vendor Bills',
    group: 'Settings',
    access: 'admin',
    icon: 'M5 3.500h10v13l-2-1.500-1.500 1.500-1.500-1.500-1.500 1.500-1.500-1.500-2 1.500Zm2.500 4h5m-5 3h5',
  },
  account: {
    title: 'Account',
    group: 'Settings',
    access: 'member',
    icon: 'M4 6h7m4 0h1M4 14h1m4 0h7M11 6a2 2 0 1 0 4 0 2 2 0 0 0-4 0ZM5 14a2 2 0 1 0 4 0 2 2 0 0 0-4 0Z',
  },
  identity: {
    title: 'Identity',
    group: 'Settings',
    access: 'operator',
    icon: 'M3.500 5h13v10h-13zm3 3.500h.01m-1.500 4c.300-1.500 2.700-1.500 3 0m3-4.500h2.500m-2.500 3h2.500',
  },
  audit: { title: 'Audit Log', group: 'Settings', access: 'admin', icon: 'M6 3.500h8v13H6zm2 4h4m-4 3h4m-4 3h2' },
  accounts: {
    title: 'All Accounts',
    group: 'Settings',
    access: 'operator',
    icon: 'M4 16V5l6-2v13m0-8 6 2v6M3 16.500h14M7 7h.01M7 10h.01M7 13h.01',
  },
} as const satisfies Record<string, Section>;

export type SectionName = keyof typeof sections;

export const sectionNames = Object.keys(sections) as SectionName[];

/** The sections that a caller has access to. */
export const sectionsFor = (caller: AccountRights): SectionName[] =>
  sectionNames.filter((name) => hasAccess(caller, sections[name].access));

export const sectionIcon = (name: SectionName): Html =>
  html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d="${sections[name].icon}" />
  </svg>`;
