export const serviceFlags: readonly string[];
export const allInOneFlags: readonly string[];
export const ownEnvironment: { readonly 'image-svc': Readonly<Record<string, string>> };
