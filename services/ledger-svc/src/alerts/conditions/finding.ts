/** Whose alert is checked, and when. */
export interface ConditionPlace {
  accountId: string;
  accountName: string;
  /** When the alert was created. */
  since: Date;
  now: Date;
}

/** What a condition says about one subject: a key, a project, a model, a provider or the account. */
export interface AlertFinding {
  subject: string;
  name: string;
  /** Per cent; for an expiry days, for a latency milliseconds, for a cost USD. */
  value: number;
  /** Whether the condition is met. */
  met: boolean;
}

export interface AlertFindings {
  findings: AlertFinding[];
  /** What it means that a subject has no finding: `resolved`, or `unknown` if there was too little to judge it by. */
  absent: 'resolved' | 'unknown';
}

/** The most subjects of one alert. */
export const mostFindings = 1_000;
