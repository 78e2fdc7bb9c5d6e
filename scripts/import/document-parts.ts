import type { Budget, Limits } from '@tallyport/contracts';

/** The parts of entries of a gateway document that an import can fill. */
export interface ProjectEntry {
  limits?: Limits;
  budget?: Budget;
}

export interface KeyEntry extends ProjectEntry {
  project?: string;
  expiresAt?: string;
  allowedModels?: string[];
}

export interface SettingsEntry {
  cacheTtlSeconds?: number;
}
