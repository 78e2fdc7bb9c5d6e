export const serviceFlags: readonly string[];
export const allInOneFlags: readonly string[];
export const ownEnvironment: {
  readonly 'chat-svc': Readonly<Record<string, string>>;
  readonly 'image-svc': Readonly<Record<string, string>>;
};
