import type { Rule } from './rule'

/** Rules of Factur-X BASIC: fields that its schema doesn't have. */
export const FACTUR_X_BASIC_RULES: readonly Rule[] = []
