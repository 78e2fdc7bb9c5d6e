/** The words of oidc-provider that pages need; only this folder knows the library itself. */
export type { Interaction, InteractionResults, KoaContextWithOIDC, Provider } from 'oidc-provider';
