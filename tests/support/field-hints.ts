import type { FieldHints } from '../../lib/operations/check-fields'

/** A request without a query string and without a preference. */
export const DEFAULT_HINTS: FieldHints = { handling: 'default', query: [] }
