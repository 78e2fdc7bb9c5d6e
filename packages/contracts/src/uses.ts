import type { authService } from './auth.ts';
import { namesOf } from './by-name.ts';
import { exchangesOf, type ServiceOfEndpoints } from './endpoints.ts';
import { ledgerCalls, type ledgerService } from './ledger.ts';
import type { batchService, catalogService, chatService, imageService, mcpService } from './services.ts';

/** Names of operations, by the service whose contract has them. */
export interface OperationNames {
  readonly auth?: readonly (keyof (typeof authService)['operations'])[];
  readonly batch?: readonly (keyof (typeof batchService)['operations'])[];
  readonly catalog?: readonly (keyof (typeof catalogService)['operations'])[];
  readonly chat?: readonly (keyof (typeof chatService)['operations'])[];
  readonly image?: readonly (keyof (typeof imageService)['operations'])[];
  readonly ledger?: readonly (keyof (typeof ledgerService)['operations'])[];
  readonly mcp?: readonly (keyof (typeof mcpService)['operations'])[];
}

/** What a process does on the bus. */
export interface Use {
  /** The contract whose calls and exchanges it answers. */
  readonly serves?: keyof OperationNames;
  /** Calls and exchanges of others that it asks for, notices that it sends, journals that it appends to. */
  readonly sends: OperationNames;
  /** Notices that it hears, journals that it reads. */
  readonly hears: OperationNames;
}

/** edge relays all endpoints. */
const endpointNames = <Service extends ServiceOfEndpoints>(service: Service) => namesOf(exchangesOf(service));

/** An installation may run without them: a process that misses one of them is ready all the same. */
export const optionalServices = ['batch', 'image', 'mcp'] as const satisfies readonly (keyof OperationNames)[];

const dispatching = {
  sends: {
    auth: ['guardWebhooks', 'guardWebhookState', 'installation', 'providerKeys', 'routes'],
    catalog: ['snapshot'],
    ledger: ['budgetsSpent', 'keepContents', 'missingUsage', 'usage'],
  },
  hears: { auth: ['accountChanged'], catalog: ['catalogueChanged'] },
} as const satisfies Use;

/**
 * Who uses which operations of whom. The permissions of each process at NATS follow from it, and a test holds it to the
 * sources (tests/structure/uses.test.ts).
 */
export const uses = {
  edge: {
    sends: {
      auth: [...endpointNames('auth'), 'authenticate', 'databaseStatus', 'serve', 'sessionCaller'],
      batch: [...endpointNames('batch'), 'serve'],
      catalog: endpointNames('catalog'),
      chat: [...endpointNames('chat'), 'availableProviders'],
      image: endpointNames('image'),
      ledger: [...endpointNames('ledger'), 'providerUptimes', 'serve', 'usage'],
      mcp: ['refreshTools', 'serve'],
    },
    hears: { auth: ['accountChanged', 'keyRevoked', 'mcpServersChanged'], mcp: ['toolsChanged'] },
  },
  'console-svc': {
    sends: {
      auth: ['authenticate', 'manage', 'sessionCaller'],
      batch: ['manage'],
      catalog: ['getModel', 'listModels'],
      chat: ['complete', 'embed', 'explain', 'providers', 'speak'],
      image: ['generate'],
      ledger: ['manage'],
    },
    hears: {},
  },
  'chat-svc': {
    serves: 'chat',
    ...dispatching,
    // The files that requests name.
    sends: { ...dispatching.sends, batch: ['fileContent'] },
  },
  'image-svc': { serves: 'image', ...dispatching },
  'batch-svc': {
    serves: 'batch',
    sends: {
      auth: ['callerOfKey', 'identify', 'pageCaller'],
      chat: [
        'cancelVendorBatch',
        'complete',
        'completeText',
        'decide',
        'embed',
        'estimateLines',
        'forgetAnswers',
        'holdBudgets',
        'messages',
        'moderate',
        'rerank',
        'responses',
        'findVendorBatch',
        'lookVendorBatch',
        'openVendorBatch',
        'vendorBatchResults',
      ],
      image: ['forgetAnswers', 'generate'],
    },
    hears: {},
  },
  'catalog-svc': {
    serves: 'catalog',
    sends: { auth: ['providerKeys', 'routes'], catalog: ['catalogueChanged'] },
    hears: { auth: ['accountChanged'], catalog: ['catalogueChanged'] },
  },
  'mcp-svc': {
    serves: 'mcp',
    sends: {
      auth: ['isOnlyAccount', 'mcpServers'],
      catalog: ['listModels'],
      chat: ['complete', 'providers'],
      image: ['generate'],
      mcp: ['toolsChanged'],
    },
    hears: { auth: ['accountChanged'], mcp: ['toolsChanged'] },
  },
  'auth-svc': {
    serves: 'auth',
    sends: {
      auth: ['accountChanged', 'keyRevoked', 'mcpServersChanged'],
      catalog: ['snapshot'],
      chat: ['testGuardWebhook', 'testProviderKey'],
      ledger: [...namesOf(ledgerCalls), 'manage', 'ownUsage', 'serve'],
      mcp: ['testServer'],
    },
    hears: { auth: ['guardWebhookState'] },
  },
  'ledger-svc': {
    serves: 'ledger',
    sends: { auth: ['identify', 'pageCaller'] },
    hears: { ledger: ['usage'] },
  },
} as const satisfies Record<string, Use>;

export type ProcessName = keyof typeof uses;

/** Processes that run several services, each with a user of its own at NATS. */
export const compositions = {
  compact: ['edge', 'chat-svc', 'image-svc', 'catalog-svc'],
} as const satisfies Record<string, readonly ProcessName[]>;

const formerDispatching = {
  sends: { auth: ['budgetsSpent', 'keepContents', 'missingUsage'] },
  hears: {},
} as const satisfies Use;

/** What replicas of the release before do beside this. Their permissions stay until the next release. */
export const formerUses: { readonly [Name in ProcessName]?: Use } = {
  edge: { sends: { auth: ['ownUsage', 'providerUptimes'] }, hears: {} },
  'chat-svc': formerDispatching,
  'image-svc': formerDispatching,
  'auth-svc': { sends: {}, hears: { ledger: ['usage'] } },
};
