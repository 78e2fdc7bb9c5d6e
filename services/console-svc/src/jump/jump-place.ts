/** A place of the dashboard that a text leads to. */
export interface JumpPlace {
  kind: 'Screen' | 'Action' | 'Key' | 'Project' | 'Model' | 'Provider' | 'Member' | 'End user' | 'Alert' | 'Request';
  text: string;
  /** Distinguishes it from others of the same name. */
  detail?: string;
  href: string;
}

export const verbs = ['revoke', 'rotate', 'remove', 'delete', 'try'] as const;

export type Verb = (typeof verbs)[number];

/** Something that a text names. */
export interface NamedThing extends JumpPlace {
  /** The pages on which something is done with it, which ask first if it cannot be undone. */
  actions?: { readonly [verb in Verb]?: string | undefined };
}
