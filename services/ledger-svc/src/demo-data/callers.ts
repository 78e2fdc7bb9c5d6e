import type { Budget, Limits, Role } from '@tallyport/contracts';
import type { DemoModel } from './traffic/offers.ts';

interface DemoMember {
  /** The part of the e-mail address before `@demo.example`. */
  name: string;
  role: Role;
}

/** No demo member owns an account: an owner of the first account would end its set-up. */
export const demoMembers = [
  { name: 'ada', role: 'admin' },
  { name: 'grace', role: 'member' },
  { name: 'katherine', role: 'member' },
  { name: 'alan', role: 'member' },
] as const satisfies readonly DemoMember[];

/** When a key is used: at any time, mostly in working hours, or at night. */
export type Habit = 'always' | 'office' | 'night';

export interface DemoCaller {
  /** The name of the key. */
  name: string;
  /** The member who created it. */
  member?: (typeof demoMembers)[number]['name'];
  habit: Habit;
  requestsPerDay: number;
  models: readonly (readonly [model: DemoModel, weight: number])[];
  promptTokens: number;
  answerTokens: number;
  /** Shares of requests, from 0 to 1. */
  streamed: number;
  /** Answered from the cache of Tallyport. */
  repeated: number;
  /** Of prompts that the vendor has cached. */
  vendorCached: number;
  limits?: Limits;
  budget?: Budget;
  /** Why requests of this key are refused, and how often. */
  refused?: { status: number; error: string; share: number; lastDays: number };
}

export const demoCallers: readonly DemoCaller[] = [
  {
    name: 'support bot',
    member: 'ada',
    habit: 'always',
    requestsPerDay: 84,
    models: [
      ['claude-haiku-4-5', 7],
      ['gpt-5.4-mini', 3],
    ],
    promptTokens: 1_400,
    answerTokens: 260,
    streamed: 0.9,
    repeated: 0.11,
    vendorCached: 0.6,
    limits: { requestsPerMinute: { chat: 240 } },
    budget: { amount: '150', period: 'month' },
  },
  {
    name: 'code review',
    member: 'grace',
    habit: 'office',
    requestsPerDay: 62,
    models: [
      ['claude-sonnet-4-6', 8],
      ['gpt-5.5', 2],
    ],
    promptTokens: 9_800,
    answerTokens: 900,
    streamed: 0.7,
    repeated: 0,
    vendorCached: 0.75,
    budget: { amount: '400', period: 'month' },
  },
  {
    name: 'search index',
    habit: 'night',
    requestsPerDay: 48,
    models: [['gemini-embedding-001', 1]],
    promptTokens: 6_000,
    answerTokens: 0,
    streamed: 0,
    repeated: 0.04,
    vendorCached: 0,
  },
  {
    name: 'data pipeline',
    member: 'alan',
    habit: 'always',
    requestsPerDay: 40,
    models: [
      ['gpt-oss-120b', 9],
      ['mistral-large-2512', 1],
    ],
    promptTokens: 2_600,
    answerTokens: 480,
    streamed: 0,
    repeated: 0.02,
    vendorCached: 0.1,
    limits: { tokensPerMinute: 200_000, concurrency: 8 },
    refused: { status: 429, error: 'rate_limit_exceeded', share: 0.04, lastDays: 30 },
  },
  {
    name: 'marketing studio',
    member: 'katherine',
    habit: 'office',
    requestsPerDay: 14,
    models: [
      ['gemini-nano-banana-2.1', 5],
      ['gemini-3.5-flash', 5],
    ],
    promptTokens: 700,
    answerTokens: 650,
    streamed: 0.4,
    repeated: 0.03,
    vendorCached: 0,
  },
  {
    name: 'experiments',
    member: 'ada',
    habit: 'office',
    requestsPerDay: 9,
    models: [
      ['gemini-3.5-flash', 3],
      ['gpt-5.5', 2],
      ['mistral-large-2512', 3],
    ],
    promptTokens: 2_200,
    answerTokens: 700,
    streamed: 0.8,
    repeated: 0,
    vendorCached: 0,
    budget: { amount: '5', period: 'month' },
    refused: { status: 402, error: 'budget_exceeded', share: 0.55, lastDays: 4 },
  },
];
